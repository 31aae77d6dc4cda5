CREATE = "create table readings (meter_id text, kwh real)"
INSERT = "insert into readings values (:meter_id, :kwh)"
TOTAL = "select sum(kwh) from readings where meter_id = ?"
