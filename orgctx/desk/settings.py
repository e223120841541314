"""Whether the desk may run with its settings."""

from importlib.util import find_spec
from urllib.parse import urlsplit

from orgctx.config.settings import Config, ConfigError, split_address
from orgctx.config.validators import is_loopback
from orgctx.decisions.connection import DeskUnavailable, MissingPrivilege, connect

NO_AUTHLIB = "ORGCTX_DESK_OIDC_ISSUER: needs Authlib: pip install 'orgctx[oidc]'"
NO_LOGIN = (
    "ORGCTX_DESK_DATABASE_URL: is not set; set it to the URL of a login for the desk, and run "
    "`orgctx migrate` with it. Only a trial in which ORGCTX_DESK_URL and ORGCTX_DESK_BIND are on "
    "loopback uses ORGCTX_ADMIN_DATABASE_URL instead"
)


def check(config: Config) -> None:
    """Raise ConfigError if the desk must not or cannot run with these settings.

    The admin login owns all tables, and RESET ROLE would return to it from the desk's role, so a
    desk that other machines reach must not use it.
    """
    errors = []
    if not config.desk_database_url and not is_local(config):
        errors.append(NO_LOGIN)
    if config.desk_oidc_issuer and find_spec("authlib") is None:
        errors.append(NO_AUTHLIB)
    if errors:
        raise ConfigError(errors)


def check_login(config: Config) -> None:
    """Raise ConfigError if the login of the desk may not decide. Other faults may pass."""
    name = "ORGCTX_DESK_DATABASE_URL" if config.desk_database_url else "ORGCTX_ADMIN_DATABASE_URL"
    try:
        with connect(login_url(config)) as connection, connection.transaction():
            pass
    except MissingPrivilege as error:
        raise ConfigError([f"{name}: {error}"]) from error
    except DeskUnavailable:
        pass


def login_url(config: Config) -> str:
    return config.desk_database_url or config.admin_database_url


def is_local(config: Config) -> bool:
    """Return whether only this machine reaches the desk, and its URL is a loopback address."""
    return is_loopback(urlsplit(config.desk_url).hostname or "") and all(
        _is_local(address) for address in config.desk_addresses
    )


def _is_local(address: str) -> bool:
    """Return whether only this machine reaches HOST:PORT or unix:PATH; False for fd://NUMBER."""
    if address.startswith(("unix:", "fd:")):
        return address.startswith("unix:")
    return is_loopback(split_address(address)[0])
