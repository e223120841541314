"""Check the settings of the desk."""

from __future__ import annotations

from orgctx.cli.doctor import CheckWarning, NotChecked
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config, ConfigError
from orgctx.desk.settings import check, is_local


def is_configured(config: Config) -> bool:
    """Return whether a setting says that a desk runs."""
    return bool(config.desk_database_url or config.desk_bind or config.desk_url != Config.desk_url)


def describe(config: Config) -> str:
    """Say where and how members sign in."""
    url, has_tls = config.desk_url, config.desk_url.startswith("https:")
    if not config.desk_database_url and has_tls:
        raise NotChecked("ORGCTX_DESK_DATABASE_URL is not set here. Run doctor where the desk runs")
    try:
        check(config)
    except ConfigError as error:
        raise CommandError("; ".join(error.errors)) from None
    if has_tls and not config.trusted_proxy_hops:
        raise CheckWarning(
            "ORGCTX_TRUSTED_PROXY_HOPS is 0, so the clients of the proxy that terminates TLS share "
            "one limit of attempts to sign in. Set the number of your proxies."
        )
    if not has_tls and not is_local(config):
        raise CheckWarning(
            f"The desk listens on {', '.join(config.desk_addresses)}, but answers only browsers on "
            f"this machine, at {url}. Set ORGCTX_DESK_URL to its https:// address."
        )
    how = f" and {config.desk_oidc_issuer}" if config.desk_oidc_issuer else ""
    return f"members sign in at {url}, with links{how}"
