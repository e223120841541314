"""Start gunicorn for `orgctx serve`.

gunicorn handles signals only after it has loaded the service. Until then, the default action of
SIGINT lets Ctrl-C end it without a traceback. `orgctx serve` blocks SIGINT until this module runs.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

from gunicorn.app.wsgiapp import run  # noqa: E402

run(prog="gunicorn")
