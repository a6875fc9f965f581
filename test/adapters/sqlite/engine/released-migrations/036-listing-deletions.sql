
  CREATE TABLE listing_deletions (
    change INTEGER PRIMARY KEY,
    slug TEXT NOT NULL
  ) STRICT;
  