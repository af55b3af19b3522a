"""What jaxlint says of well-tested JAX libraries, and its CPU time against that of parsing them."""
