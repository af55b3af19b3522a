"""`python -m runtime_checks.doctor`."""

import sys

from runtime_checks.doctor import main

sys.exit(main())
