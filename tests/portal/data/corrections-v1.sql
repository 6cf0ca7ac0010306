PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE corrections (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  kind   TEXT NOT NULL,
  work   TEXT NOT NULL,   -- the id of a work or of one of its documents
  value  TEXT NOT NULL,
  time   TEXT NOT NULL,   -- ISO 8601, UTC
  undone TEXT             -- when it was taken back
);
INSERT INTO corrections VALUES(1,'venue','wgk6w6qzw6gpdjccc','Journal of Spiders','2026-01-02T00:00:00+00:00',NULL);
INSERT INTO corrections VALUES(2,'year','wgnqcjvjibfwznr2b','1979','2026-01-02T00:00:00+00:00','2026-01-02T00:00:00+00:00');
INSERT INTO corrections VALUES(3,'same','wgk6w6qzw6gpdjccc','wgnqcjvjibfwznr2b','2026-01-02T00:00:00+00:00',NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('corrections',3);
COMMIT;
