"""gunicorn as `orgctx serve` runs it: Ctrl-C ends it without a traceback also before gunicorn
listens to signals, while it loads the service. `orgctx serve` holds the signal back until here."""

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

from gunicorn.app.wsgiapp import run  # noqa: E402

run(prog="gunicorn")
