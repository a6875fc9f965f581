
  CREATE INDEX listings_state ON listings (state, slug);
  