"""What all views of a request share: the desk, and the member who is signed in."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from flask import Flask, current_app, g

from orgctx.config.settings import Config
from orgctx.desk.sessions import Session, Sessions
from orgctx.stores.quota import Quota


@dataclass(frozen=True)
class Desk:
    """The parts of the application."""

    config: Config
    sessions: Sessions
    # The application that answers as a key.
    api: Flask

    @property
    def quota(self) -> Quota:
        """The counters that show how keys are used."""
        quota: Quota = self.api.extensions["orgctx"].quota
        return quota

    def close(self) -> None:
        """Close the connections."""
        self.sessions.close()
        self.api.extensions["orgctx"].close()


@dataclass(frozen=True)
class Member:
    """The member who is signed in, as of this request. role: owner or admin."""

    session: Session
    name: str
    role: str
    organization_name: str
    organization_slug: str

    @property
    def organization_id(self) -> UUID:
        return self.session.organization_id

    @property
    def user_id(self) -> UUID:
        return self.session.user_id


def desk() -> Desk:
    """Return the application's parts."""
    parts: Desk = current_app.extensions["orgctx.desk"]
    return parts


def member() -> Member:
    """Return who is signed in. Only for views that need a session."""
    signed_in: Member = g.member
    return signed_in
