"""What secrets of services look like, and the search for them.

A kind is certain if a prefix and a checksum, or a length that nothing else has, prove it: loads
hold documents with such a secret. Others are only findings, and so are the passwords of
`decisions.patterns`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from orgctx.key_format import checksum, is_well_formed

# A part of an example that stands for so many characters.
EXAMPLE_SLOT = re.compile(r"\{\w+\}")


class SecretKind(NamedTuple):
    """Secrets of one form.

    pattern: a group in it is the part that may be a placeholder, else the whole match.
    examples: one for each beginning. `{8}` stands for 8 letters and digits, `{8x}` for hexadecimal
        digits, `{8d}` for digits, `{8l}` for small letters and digits, `{8u}` for capital letters
        and digits, `{crc}` for a checksum, so that no scanner finds a secret here; `{0}` for a
        part that only some secrets have.
    literals: the longest fixed part of each example. Every match contains one of them.
    """

    name: str
    pattern: re.Pattern[str]
    examples: tuple[str, ...]
    literals: frozenset[str]


class Secret(NamedTuple):
    """A secret in a text. start, end: offsets in characters."""

    name: str  # of its kind
    start: int
    end: int


def _kind(name: str, expression: str, *examples: str) -> SecretKind:
    literals = (max(EXAMPLE_SLOT.split(example), key=len) for example in examples)
    return SecretKind(name, re.compile(expression, re.ASCII), examples, frozenset(literals))


# fmt: off
CERTAIN = (
    _kind("1Password service account", r"ops_eyJ[\w+/-]{40,}={0,2}", "ops_eyJ{60}"),
    _kind("Adobe client secret", r"\bp8e-[\w-]{32}\b", "p8e-{32}"),
    _kind("Age key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "AGE-SECRET-KEY-1{58u}"),
    _kind("Anthropic key", r"\bsk-ant-[a-z]{2,10}[0-9]{2}-[\w-]{80,120}", "sk-ant-api{2d}-{95}"),
    _kind("API key of orgctx", r"\boctx_[0-9A-Za-z]{40}", "octx_{34}{crc}"),
    _kind("AWS Access Key", r"(?:A3T[0-9A-Z]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}",
          "AKIA{16u}", "ABIA{16u}", "ACCA{16u}", "ASIA{16u}", "A3T{17u}"),
    _kind("AWS Bedrock key", r"\bbedrock-api-key-[0-9A-Za-z+/=]{40,}", "bedrock-api-key-{60}"),
    _kind("Azure DevOps token", r"\b[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}\b", "{76}AZDO{4}"),
    _kind("Braintree token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
          "access_token$production${16l}${32x}", "access_token$sandbox${16l}${32x}"),
    _kind("Brevo key", r"\bx(?:keysib|smtpsib)-[0-9a-f]{64}-[0-9A-Za-z]{16}",
          "xkeysib-{64x}-{16}", "xsmtpsib-{64x}-{16}"),
    _kind("Buildkite token", r"\bbkua_[0-9a-z]{40}", "bkua_{40l}"),
    _kind("Clojars token", r"\bCLOJARS_[0-9a-z]{60}", "CLOJARS_{60l}"),
    _kind("Contentful token", r"\bCFPAT-[\w-]{43}", "CFPAT-{43}"),
    _kind("Databricks token", r"\bdapi[0-9a-f]{32}(?:-\d)?\b", "dapi{32x}"),
    _kind("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{64}",
          "doo_v1_{64x}", "dop_v1_{64x}", "dor_v1_{64x}"),
    _kind("Docker token", r"\bdckr_pat_[\w-]{27}", "dckr_pat_{27}"),
    _kind("Doppler token",
          r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z_-]{1,35}\.)?[0-9A-Za-z]{40,44}",
          "dp.pt.{43}", "dp.st.{43}", "dp.ct.{43}", "dp.sa.{43}", "dp.scim.{43}", "dp.audit.{43}"),
    _kind("Duffel token", r"\bduffel_(?:live|test)_[\w=-]{43}", "duffel_live_{43}",
          "duffel_test_{43}"),
    _kind("Dynatrace token", r"\bdt0[a-z]\d\d\.[0-9A-Z]{8,24}\.[0-9A-Z]{64}",
          "dt0{1l}{2d}.{24u}.{64u}"),
    _kind("EasyPost key", r"\bEZ[AT]K[0-9A-Za-z]{54}", "EZAK{54}", "EZTK{54}"),
    _kind("Fly.io token", r"\bfo1_[\w-]{43}|\bfm[12][ar]?_[0-9A-Za-z+/]{80,}={0,3}",
          "fo1_{43}", "fm1_{80}", "fm1a_{80}", "fm1r_{80}", "fm2_{80}", "fm2a_{80}", "fm2r_{80}"),
    _kind("Frame.io token", r"\bfio-u-[\w=-]{64}", "fio-u-{64}"),
    _kind("GitHub Token", r"gh[oprsu]_[0-9A-Za-z_]{36,}",
          "gho_{30}{crc}", "ghp_{30}{crc}", "ghr_{30}{crc}", "ghs_{30}{crc}", "ghu_{30}{crc}"),
    _kind("GitHub Token", r"\bgithub_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}", "github_pat_{22}_{59}"),
    _kind("GitLab Token",
          r"(?:glpat|gldt|glft|glsoat|glrtr?|glffct|glwt)-[\w.-]{20,}|GR1348941[\w-]{20,50}\b"
          r"|glcbt-(?:[0-9a-zA-Z]{1,5}_)?[\w-]{20,}|glagent-[\w-]{50,}"
          r"|(?:glimt-[\w-]{25}|glptt-[\w-]{40}|gloas-[\w-]{64})(?![\w-])",
          "glpat-{20}", "gldt-{20}", "glft-{20}", "glsoat-{20}", "glrt-{20}", "glrtr-{20}",
          "glffct-{20}", "glwt-{20}", "GR1348941{20}", "glcbt-{5}_{20}", "glagent-{50}",
          "glimt-{25}", "glptt-{40}", "gloas-{64}"),
    _kind("Google API key", r"\bAIza[\w-]{35}", "AIza{35}"),
    _kind("Google OAuth secret", r"\bGOCSPX-[\w-]{28}", "GOCSPX-{28}"),
    _kind("Grafana token", r"\bglsa_[0-9A-Za-z]{32}_[0-9a-f]{8}", "glsa_{32}_{8x}"),
    _kind("Heroku key", r"\bHRKU-AA[\w-]{58}", "HRKU-AA{58}"),
    _kind("HubSpot token", r"\bpat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
          "pat-na{1d}-{8x}-{4x}-{4x}-{4x}-{12x}", "pat-eu{1d}-{8x}-{4x}-{4x}-{4x}-{12x}"),
    _kind("Hugging Face token", r"\bhf_[0-9A-Za-z]{34}", "hf_{34}"),
    _kind("Linear key", r"\blin_api_[0-9A-Za-z]{40}", "lin_api_{40}"),
    _kind("Mapbox secret token", r"\bsk\.eyJ[\w-]{40,}\.[\w-]{20,}", "sk.eyJ{60}.{22}"),
    _kind("MaxMind key", r"\b[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk\b", "{6}_{29}_mmk"),
    _kind("Netlify token", r"\bnf[abcopu]_[0-9A-Za-z_]{36}",
          "nfa_{36}", "nfb_{36}", "nfc_{36}", "nfo_{36}", "nfp_{36}", "nfu_{36}"),
    _kind("New Relic key", r"\bNR(?:AK|II|IQ|RA|AL)-[\w-]{27,42}|\bNRJS-[0-9a-f]{19}",
          "NRAK-{27u}", "NRII-{32}", "NRIQ-{32}", "NRRA-{42}", "NRAL-{32}", "NRJS-{19x}"),
    _kind("npm token", r"\bnpm_[0-9A-Za-z]{36}", "npm_{30}{crc}"),
    _kind("OpenAI Token", r"sk-[\w-]{0,80}[0-9A-Za-z]{20}T3BlbkFJ[\w-]{20,}",
          "sk-{20}T3BlbkFJ{20}"),
    _kind("OpenShift token", r"\bsha256~[\w-]{43}", "sha256~{43}"),
    _kind("Perplexity key", r"\bpplx-[0-9A-Za-z]{48}", "pplx-{48}"),
    _kind("Plaid token",
          r"\baccess-(?:sandbox|development|production)"
          r"-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
          *(f"access-{each}-{{8x}}-{{4x}}-{{4x}}-{{4x}}-{{12x}}"
            for each in ("sandbox", "development", "production"))),
    _kind("PlanetScale token", r"\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}",
          "pscale_tkn_{43}", "pscale_pw_{43}", "pscale_oauth_{43}"),
    _kind("Postman key", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PMAK-{24x}-{34x}"),
    _kind("Prefect token", r"\bpn[bu]_[0-9A-Za-z]{36}", "pnb_{36}", "pnu_{36}"),
    _kind("Private Key",
          r"-----BEGIN (?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
          r"(?:\s|\\[nr]|[\"',>+]"
          r"|(?:Proc-Type|DEK-Info|Version|Comment|Charset):[^\n]{0,200}\n){0,40}"
          r"[A-Za-z0-9+/=]{32}", "-----BEGIN {3u} PRIVATE KEY{0}-----\n{64}"),
    _kind("PyPI Token", r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{70,}",
          "pypi-AgEIcHlwaS5vcmc{70}", "pypi-AgENdGVzdC5weXBpLm9yZw{70}"),
    _kind("ReadMe key", r"\brdme_[0-9a-z]{70}", "rdme_{70l}"),
    _kind("RubyGems key", r"\brubygems_[0-9a-f]{48}", "rubygems_{48x}"),
    _kind("Scalingo token", r"\btk-us-[\w-]{48}", "tk-us-{48}"),
    _kind("SendGrid API Key", r"SG\.[\w-]{20,24}\.[\w-]{39,50}", "SG.{22}.{43}"),
    _kind("Shippo token", r"\bshippo_(?:live|test)_[0-9a-f]{40}",
          "shippo_live_{40x}", "shippo_test_{40x}"),
    _kind("Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
          "shpat_{32x}", "shpca_{32x}", "shppa_{32x}", "shpss_{32x}"),
    _kind("Slack Token", r"\bxox[abeoprs](?:\.xox[bp])?-(?:[0-9]{1,20}-){1,5}[0-9A-Za-z-]{16,}",
          *(f"xox{letter}-{{12d}}-{{12d}}-{{24}}" for letter in "abeoprs"), "xoxe.xoxp-{1d}-{24}"),
    _kind("Slack Token",
          r"hooks\.slack\.com/services/T[0-9A-Z]{8,12}/B[0-9A-Z]{8,12}/[0-9A-Za-z]{24}",
          "hooks.slack.com/services/T{10u}/B{10u}/{24}"),
    _kind("SonarQube token", r"\bsq[apu]_[0-9a-z]{40}", "sqa_{40l}", "sqp_{40l}", "squ_{40l}"),
    _kind("Square OAuth Secret", r"\bsq0(?:csp|atp|idp)-[\w\\-]{22,43}",
          "sq0csp-{43}", "sq0atp-{22}", "sq0idp-{22}"),
    _kind("Stripe Access Key", r"[rs]k_(?:live|test|prod)_[0-9A-Za-z]{24,}",
          *(f"{kind}k_{mode}_{{24}}" for kind in "rs" for mode in ("live", "test", "prod"))),
    _kind("Supabase token", r"\bsbp_(?:v0_)?[0-9a-f]{40}|\bsb_secret_[\w-]{31}",
          "sbp_{40x}", "sb_secret_{31}"),
    _kind("Tailscale key", r"\btskey-[a-z]{3,9}-[0-9A-Za-z_]{8,}-[0-9A-Za-z_]{20,}",
          "tskey-auth-{12}-{32}"),
    _kind("Telegram Bot Token", r"\b[0-9]{8,10}:AA[\w-]{33}\b", "{10d}:AA{33}"),
    _kind("Terraform token", r"\b[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,70}", "{14}.atlasv1.{67}"),
    _kind("Typeform token", r"\btfp_[\w.=-]{59}", "tfp_{59}"),
    _kind("Vault token", r"\bhv[bs]\.[\w-]{90,}", "hvb.{138}", "hvs.{95}"),
    _kind("WakaTime key", r"\bwaka_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
          "waka_{8x}-{4x}-{4x}-{4x}-{12x}"),
)
# Strings that join the lines of a private key. A `+` between letters is a part of the key.
_BETWEEN_LINES = r"(?:\s|\\[nr]|[\"',>]|\+(?![A-Za-z0-9+/=])){0,12}"
LIKELY = (
    _kind("Airtable token", r"\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}", "pat{14}.{64x}"),
    _kind("Alibaba Cloud access key", r"\bLTAI[0-9A-Za-z]{12,20}\b", "LTAI{16}"),
    _kind("Artifactory Credentials",
          r"""(?:^|[\s=:"'])(?:AKC[0-9A-Za-z]{10,}|AP[0-9A-F][0-9A-Za-z]{8,}"""
          r"""|cmVmd[0-9A-Za-z]{59})(?:[\s"']|$)""", "AKC{12}", "AP{10u}", "cmVmd{59}"),
    _kind("Asana token", r"\b[12]/[0-9]{16}(?:/[0-9]{16})?:[0-9a-f]{32}\b",
          "1/{16d}:{32x}", "2/{16d}/{16d}:{32x}"),
    _kind("Azure client secret", r"\b[\w~.]{3}[0-9]Q~[\w~.-]{31,34}", "{3}{1d}Q~{34}"),
    _kind("Azure Storage Account access key",
          r"(?:Account|SharedAccess)Key=[0-9A-Za-z+/]{43,86}={1,2}",
          "AccountKey={86}==", "SharedAccessKey={43}="),
    _kind("Azure signature", r"[?&]sig=[0-9A-Za-z%/+]{40,120}", "?sig={43}%3D", "&sig={43}%3D"),
    _kind("Basic Auth Credentials",
          r"""://[^:/?#\[\]@!$&'()*+,;=\s]+:([^:/?#\[\]@!$&'()*+,;=\s]+)@""", "{5l}://{3}:{8}@{9}"),
    _kind("Cloudflare key", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}", "v1.0-{24x}-{146x}"),
    _kind("Discord Bot Token", r"[MNO][0-9A-Za-z_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}",
          "M{24}.{6}.{27}", "N{24}.{6}.{27}", "O{24}.{6}.{27}"),
    _kind("Discord webhook", r"\bdiscord(?:app)?\.com/api/webhooks/[0-9]{10,20}/[\w-]{40,}",
          "discord.com/api/webhooks/{18d}/{68}", "discordapp.com/api/webhooks/{18d}/{68}"),
    _kind("Facebook token", r"\bEAA[CM][0-9A-Za-z]{100,400}", "EAAC{120}", "EAAM{120}"),
    _kind("Flutterwave key", r"\bFLWSECK(?:_TEST|_PROD)?-[0-9A-Za-z]{12,40}",
          "FLWSECK-{32}", "FLWSECK_TEST-{32}", "FLWSECK_PROD-{32}"),
    _kind("GoCardless token", r"\blive_[0-9A-Za-z_=-]{40}\b", "live_{40}"),
    _kind("Grafana token",
          r"\bglc_[0-9A-Za-z+/]{32,400}={0,2}|\beyJrIjoi[0-9A-Za-z]{70,400}={0,2}",
          "glc_{64}", "eyJrIjoi{80}"),
    _kind("JSON Web Token", r"(?<![\w-])eyJ[\w-]++={0,2}\.[\w.+/=-]+", "eyJ{20}.{20}.{20}"),
    _kind("Lob key", r"\b(?:live|test)_(?:pub_)?[0-9a-f]{35}\b", "live_{35x}", "test_{35x}"),
    _kind("Mailchimp Access Key", r"[0-9a-z]{32}-us[0-9]{1,2}", "{32x}-us{2d}"),
    _kind("Mailgun key", r"\b(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b",
          "key-{32x}", "{32x}-{8x}-{8x}"),
    _kind("Notion token", r"\bsecret_[0-9A-Za-z]{43}\b", "secret_{43}"),
    _kind("NPM tokens", r":_authToken=\s{0,3}(?:npm_\w{1,100}|[0-9A-Fa-f-]{36})",
          ":_authToken={8x}-{4x}-{4x}-{4x}-{12x}"),
    _kind("NuGet key", r"\boy2[0-9a-z]{43}\b", "oy2{43l}"),
    _kind("Octopus Deploy key", r"\bAPI-[0-9A-Z]{26,}\b", "API-{26u}"),
    _kind("Office webhook", r"\bwebhook\.office\.com/webhookb2/[\w@/-]{40,}",
          "webhook.office.com/webhookb2/{60}"),
    # All of the key, so that no part of it is shown.
    _kind("Private Key",
          r"BEGIN (?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?"
          rf"(?:-{{0,5}}+{_BETWEEN_LINES}[A-Za-z0-9+/=]{{16,80}}+){{0,200}}"
          rf"(?:{_BETWEEN_LINES}[A-Za-z0-9+/=]{{1,80}}(?={_BETWEEN_LINES}-----END))?",
          "BEGIN {3u} PRIVATE KEY"),
    _kind("Private Key", r"PuTTY-User-Key-File-[23]", "PuTTY-User-Key-File-2",
          "PuTTY-User-Key-File-3"),
    _kind("Slack Token", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}",
          "hooks.slack.com/services/{20}", "hooks.slack.com/workflows/{20}",
          "hooks.slack.com/triggers/{20}"),
    _kind("Token",
          r"\b(?:sk-(?:ant|proj|svcacct|or)-|ya29\.|figd_|ntn_|xapp-|sgp_|hvs\.|ABSK|nvapi-|xai-"
          r"|ATATT3|sntry[su]_|whsec_)(?=[A-Za-z_.-]{0,40}[0-9])[\w.=+/-]{20,}"
          r"|\b(?:gsk|pul|r8)_[A-Za-z0-9]{30,}",
          "sk-ant-{40}", "sk-proj-{40}", "sk-svcacct-{40}", "sk-or-{40}", "ya29.{40}", "figd_{40}",
          "ntn_{40}", "xapp-{40}", "sgp_{40}", "hvs.{24}", "ABSK{40}", "nvapi-{40}", "xai-{40}",
          "ATATT3{40}", "sntrys_{40}", "sntryu_{40}", "whsec_{40}", "gsk_{40}", "pul_{40}",
          "r8_{40}"),
    _kind("Twilio API Key", r"(?:AC|SK)[0-9a-z]{32}", "AC{32x}", "SK{32x}"),
    _kind("Yandex key", r"\bAQVN[\w-]{35,38}\b|\bt1\.[\w=-]{1,400}\.[\w-]{86}",
          "AQVN{36}", "t1.{20}.{86}"),
)
# fmt: on


def _has_checksum(token: str) -> bool:
    """Return whether the last 6 characters are the CRC-32 of the 30 before them."""
    body = token.partition("_")[2]
    return len(body) == 36 and checksum(body[:-6]) == body[-6:]


# What a match of a certain kind has to pass, by prefix.
CHECKSUMS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"), _has_checksum),
    "octx_": is_well_formed,
}
# A match with fewer different characters at its end is a placeholder, such as `glpat-xxxxxxxx`.
FEWEST_CHARACTERS = 4
# Words that stand for a password.
PLACEHOLDERS = re.compile(
    r"(?:my|your|the|db|user)?[_-]?(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)"
    r"|[<{\[%].*|\$[{(].*|x{4,}|[*.]{3,}",
    re.IGNORECASE | re.DOTALL,
)
# What readers do not see inside a secret: backslashes with which writers of Markdown escape `_` and
# other punctuation, soft hyphens, and characters without a width.
INVISIBLE = "\xad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
UNSEEN = re.compile(rf"\\(?=[!-/:-@\[-`{{-~])|[{INVISIBLE}]")

# Every certain secret has 20 letters, digits, `_` and `-` in a row, and its literal begins at most
# 64 characters before them, except in a private key with headers. Texts have few such runs: one
# pass finds them, and only they are searched for literals.
RUN = re.compile(b"a" * 20 + b"a*")
BEFORE_RUN = 64
PRIVATE_KEY = " PRIVATE KEY"
# A run of only these is a word, an identifier or a rule, and no secret.
WORD_CHARACTERS = b"abcdefghijklmnopqrstuvwxyz_-"
_CLASSES = bytes(97 if chr(byte).isalnum() or chr(byte) in "_-" else 32 for byte in range(128))
_CLASSES += b" " * 128


def certain_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets of a certain kind in a text, also with characters of UNSEEN in them."""
    return _search_twice(text, _search_certain)


def likely_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets of all kinds in a text, the certain ones among them."""
    return _search_twice(text, lambda part: _search(part, CERTAIN + LIKELY, part))


def _search_twice(text: str, search: Callable[[str], Iterator[Secret]]) -> Iterator[Secret]:
    """Search a text twice: without UNSEEN, a secret may be the middle of a longer string."""
    secrets = dict.fromkeys(search(text))
    # The first condition is much faster than the expression.
    if any(map(text.__contains__, f"\\{INVISIBLE}")) and (
        unseen := [match.start() for match in UNSEEN.finditer(text)]
    ):
        # Where the removed characters were in the text that is left.
        gaps = [offset - count for count, offset in enumerate(unseen)]
        for name, start, end in search(UNSEEN.sub("", text)):
            span = start + bisect_right(gaps, start), end + bisect_left(gaps, end)
            secrets[Secret(name, *span)] = None
    yield from secrets


def _search_certain(text: str) -> Iterator[Secret]:
    letters = text.encode("ascii", "replace")
    spans = (run.span() for run in RUN.finditer(letters.translate(_CLASSES)))
    parts = [
        text[max(0, start - BEFORE_RUN) : end]
        for start, end in spans
        if letters[start:end].strip(WORD_CHARACTERS)
    ]
    if PRIVATE_KEY in text:
        parts.append(PRIVATE_KEY)
    for secret in _search(text, CERTAIN, "\n".join(parts)) if parts else ():
        if is_certain(text[secret.start : secret.end]):
            yield secret


def _search(text: str, kinds: Sequence[SecretKind], parts: str) -> Iterator[Secret]:
    """Yield the secrets of some kinds in a text. parts: what is searched for literals."""
    for kind in kinds:
        if any(literal in parts for literal in kind.literals):
            for match in kind.pattern.finditer(text):
                if not is_harmless(match, *match.span()):
                    yield Secret(kind.name, *match.span())


def is_certain(secret: str) -> bool:
    """Return whether a match of a certain kind has the right checksum, and is no placeholder."""
    prefix = next(filter(secret.startswith, CHECKSUMS), None)
    is_intact = prefix is None or CHECKSUMS[prefix](secret)
    return is_intact and len(set(secret[-16:])) >= FEWEST_CHARACTERS


def is_harmless(match: re.Match[str], start: int, end: int) -> bool:
    """Return whether a span of a match is a placeholder, or the middle of a longer string."""
    text = match.string
    edges = text[max(0, start - 1) : start + 1] + text[end - 1 : end + 1]
    is_middle = len(edges) == 4 and edges.isalnum() and edges.isascii()
    return is_middle or PLACEHOLDERS.fullmatch(match[match.lastindex or 0]) is not None
