"""Identity providers: oidc-provider of npm, and one whose ID tokens tests can spoil."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

from tests.page.browser import install
from tests.support.http_server import Handler, serving
from tests.support.processes import free_port
from tests.support.written import written

CLIENT_ID, CLIENT_SECRET = "desk", "secret-of-the-desk-at-the-provider"
FOLDER = Path(__file__).parent / "provider"
KEY, OTHER_KEY = (ECKey.generate_key("P-256", {"kid": "1", "alg": "ES256"}) for _ in range(2))

Claims = dict[str, Any]


@contextmanager
def real(redirect_uri: str) -> Iterator[str]:
    """Run oidc-provider, and yield its issuer. Its host is not that of the desk."""
    install(FOLDER)
    port = free_port()
    with written.log(f"provider-{port}") as log:
        process = subprocess.Popen(
            ["node", "provider.mjs", str(port), redirect_uri],
            cwd=FOLDER,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"listening\n"
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)
            process.stdout.close()


class Spoiled:
    """A provider that answers with the claims and the metadata of a test.

    nonce: what the ID token contains; a test takes it from the address of the provider.
    requests: the path and the form of each request.
    """

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self.nonce = ""
        self.claims: Claims = {}
        self.token: Callable[[Claims], str] = lambda claims: signed(claims, KEY)
        self.metadata: Claims = {}
        self.user_info: Claims = {}
        self.requests: list[tuple[str, dict[str, str]]] = []

    def answer(self, path: str, form: bytes) -> Claims:
        """Return the JSON for a request."""
        self.requests.append((path, dict(parse_qsl(form.decode()))))
        if path.endswith("openid-configuration"):
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/jwks",
                "id_token_signing_alg_values_supported": ["ES256"],
                **self.metadata,
            }
        if path == "/jwks":
            return {"keys": [KEY.as_dict(private=False)]}
        if path == "/userinfo":
            return self.user_info
        now = int(time())
        claims = {
            "iss": self.issuer,
            "sub": "ada",
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 60,
            "nonce": self.nonce,
            "email": "ada@acme.example",
            "email_verified": True,
        }
        spoiled = {key: value for key, value in (claims | self.claims).items() if value is not None}
        return {"access_token": "any", "token_type": "Bearer", "id_token": self.token(spoiled)}


def signed(claims: Claims, key: ECKey) -> str:
    return jwt.encode({"alg": "ES256", "kid": "1"}, claims, key)


@contextmanager
def spoiled() -> Iterator[Spoiled]:
    """Run a provider whose answers a test changes."""

    class Provider(Handler):
        def respond(self) -> None:
            answer = provider.answer(urlsplit(self.path).path, self.body())
            self.answer(json.dumps(answer).encode())

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Provider)) as port:
        provider = Spoiled(port)
        yield provider
