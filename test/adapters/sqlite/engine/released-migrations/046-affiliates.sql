
  CREATE TABLE affiliates (
    handle TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    address TEXT UNIQUE,
    about TEXT,
    url TEXT,
    pay_to TEXT,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE promotions (
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    product_id TEXT NOT NULL,
    state TEXT NOT NULL,
    codes TEXT NOT NULL,
    terms TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (handle, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX promotions_of_listing ON promotions (slug, product_id, state);
  CREATE INDEX promotions_of_product ON promotions (product_id, handle, slug);
  CREATE INDEX promotions_of_state ON promotions (state, handle, slug);
  CREATE TABLE promotion_codes (
    product_id TEXT NOT NULL,
    code TEXT NOT NULL,
    handle TEXT NOT NULL,
    slug TEXT NOT NULL,
    PRIMARY KEY (product_id, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER promotion_codes_begin AFTER INSERT ON promotions BEGIN
    INSERT INTO promotion_codes (product_id, code, handle, slug) SELECT NEW.product_id, value, NEW.handle, NEW.slug FROM json_each(NEW.codes);
  END;
  CREATE TRIGGER promotion_codes_are_added AFTER UPDATE OF codes ON promotions BEGIN
    INSERT INTO promotion_codes (product_id, code, handle, slug) SELECT NEW.product_id, value, NEW.handle, NEW.slug FROM json_each(NEW.codes)
      WHERE value NOT IN (SELECT value FROM json_each(OLD.codes));
  END;
  CREATE TRIGGER promotion_codes_go AFTER DELETE ON promotions BEGIN
    DELETE FROM promotion_codes
      WHERE product_id = OLD.product_id AND code IN (SELECT value FROM json_each(OLD.codes));
  END;
    