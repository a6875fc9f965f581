
  ALTER TABLE entitlements ADD COLUMN anchor_day INTEGER;
  
  UPDATE entitlements SET anchor_day = CAST(strftime('%d', period_start / 1000, 'unixepoch') AS INTEGER)
  WHERE billing_interval IN ('month', 'year')
    AND (period_end - period_start) % 86400000 = 0
    AND strftime('%d', period_end / 1000 + 86400, 'unixepoch') = '01'
    AND strftime('%d', period_end / 1000, 'unixepoch') < strftime('%d', period_start / 1000, 'unixepoch');

  