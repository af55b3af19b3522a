"""`confirm --prove`: what each fix gains, by running the program without and with it."""
