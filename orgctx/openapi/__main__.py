"""Print the contract: python -m orgctx.openapi [BASE_URL]."""

import sys

from orgctx.openapi.document import build

sys.stdout.buffer.write(build(sys.argv[1] if len(sys.argv) > 1 else ""))
