-- What became of polling each source (being written).
SELECT 1;
