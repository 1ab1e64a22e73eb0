"""Writers of the formats that other tools read: rows in, files out. Equal rows give equal bytes, and no writer holds
more than a few hundred rows."""
