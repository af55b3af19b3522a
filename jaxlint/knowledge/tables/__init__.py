"""What outside libraries do, one module of text tables for each part of a library; notation in `tabletext`."""
