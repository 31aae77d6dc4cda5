INSERT INTO presence (who, at) VALUES (:employee, :minute)
