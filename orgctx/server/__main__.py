"""Start gunicorn for `orgctx serve`.

Ctrl-C ends it without a traceback, also while it loads the service and does not handle signals yet.
`orgctx serve` blocks the signal until this point.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

from gunicorn.app.wsgiapp import run  # noqa: E402

run(prog="gunicorn")
