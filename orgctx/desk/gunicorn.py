"""gunicorn's settings for `orgctx desk`. Each public lowercase name is a setting of gunicorn."""

# ruff: noqa: F403
from orgctx.gunicorn_defaults import *

# isort: split

from orgctx.config.settings import ConfigError
from orgctx.desk.settings import check
from orgctx.gunicorn_defaults import CONFIG

try:
    check(CONFIG)
except ConfigError as error:
    raise SystemExit("\n  ".join(["Error: invalid settings:", *error.errors])) from None

wsgi_app = "orgctx.desk.app:create_desk()"
bind = [address for address in (*CONFIG.desk_addresses, CONFIG.desk_metrics_bind) if address]
# A few people use it. While a preview scans texts, it yields to others after each text.
workers = 1
# A preview in progress may take this long.
graceful_timeout = 30
