CREATE TABLE readings (meter TEXT, milli INTEGER);
INSERT INTO readings VALUES ('a', 4000), ('b', 8000);
CREATE VIEW priced AS SELECT milli / 1000.0 AS energy FROM readings ORDER BY meter;
