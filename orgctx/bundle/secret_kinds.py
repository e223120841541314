"""What secrets of services look like, and the search for those of a certain kind.

A kind is certain if a prefix and a checksum, or a length that nothing else has, prove it. Loads
hold documents with such a secret, so their search needs no library. The expressions of all kinds
are for RE2, which takes linear time. Passwords and some prefixes are in `decisions.patterns`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from orgctx.key_format import checksum, is_well_formed

# What names a secret in a setting, and what is between the name and the value.
_KEY = r"(?:api)?[_-]?(?:key|pwd|pw|password|pass|token)"
_IS = r"""["']?\]? {0,8}(?:=>?|::?=?| ) {0,8}["']?"""


class SecretKind(NamedTuple):
    """Secrets of one form.

    example, other: a text that the expression finds, and one that it does not. `{8}` stands for 8
        letters and digits, `{8x}` for hexadecimal digits, `{8d}` for digits, `{8l}` for small
        letters and `{8u}` for capital letters and digits, so that no scanner finds a secret here.
    """

    name: str
    source: str  # where the service documents the form
    expression: str  # the secret is its group `value`, else the whole match
    example: str
    other: str
    # Of a certain kind: every match contains one of these, separated by spaces.
    literals: str = ""


class Secret(NamedTuple):
    """A secret in a text. start, end: offsets in characters."""

    name: str  # of its kind
    start: int
    end: int


# fmt: off
KINDS = tuple(SecretKind(*row) for row in (
    ("1Password service account", "https://developer.1password.com/docs/service-accounts/",
     r"ops_eyJ[\w+/-]{40,}={0,2}", "ops_eyJ{60}", "ops_ey {60}",
     "ops_eyJ"),
    ("Adobe client secret", "https://developer.adobe.com/developer-console/docs/guides/authentication/",
     r"\bp8e-[\w-]{32}\b", "p8e-{32}", "p8e-{8}",
     "p8e-"),
    ("Airtable token", "https://airtable.com/developers/web/api/authentication",
     r"\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}", "pat{14}.{64x}", "pat{14}.{8x}"),
    ("Alibaba Cloud access key", "https://www.alibabacloud.com/help/en/ram/",
     r"\bLTAI[0-9A-Za-z]{12,20}\b", "LTAI{16}", "LTAI {16}"),
    ("Artifactory Credentials", "https://jfrog.com/help/",
     r"""(?:^|[\s=:"'])(?:AKC[0-9A-Za-z]{10,}|AP[0-9A-F][0-9A-Za-z]{8,}|cmVmd[0-9A-Za-z]{59})(?:[\s"']|$)""",
     "key=AKCp{69}", "APACHE"),
    ("Asana token", "https://developers.asana.com/docs/personal-access-token",
     r"\b[12]/[0-9]{16}(?:/[0-9]{16})?:[0-9a-f]{32}\b", "1/{16d}:{32x}", "1/{16d}"),
    ("AWS Access Key", "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
     r"(?:A3T[0-9A-Z]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}", "AKIA{16u}", "AKIA{8u}",
     "AKIA ASIA ABIA ACCA A3T"),
    ("AWS Access Key", "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html",
     r"""(?i)aws.{0,20}?(?:key|pwd|pw|password|pass|token).{0,20}?(?:["']|[=:]\s{0,3})(?P<value>[0-9a-z/+]{40})(?:["'\s]|$)""",
     "aws_secret_access_key = {40}", "aws_region = eu-central-1"),
    ("AWS Bedrock key", "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html",
     r"\bbedrock-api-key-[0-9A-Za-z+/=]{40,}", "bedrock-api-key-{60}", "bedrock-api-key-name",
     "bedrock-api-key-"),
    ("Azure Storage Account access key",
     "https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string",
     r"(?:Account|SharedAccess)Key=[0-9A-Za-z+/]{43,86}={1,2}",
     "AccountKey={86}==", "AccountKey=<key>"),
    ("Azure signature", "https://learn.microsoft.com/azure/storage/common/storage-sas-overview",
     r"[?&]sig=[0-9A-Za-z%/+]{40,120}", "?sv=2024&sig={43}%3D", "?sig={8}"),
    ("Azure DevOps token", "https://learn.microsoft.com/azure/devops/organizations/accounts/",
     r"\b[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}\b", "{76}AZDO{4}", "{8}AZDO{4}",
     "AZDO"),
    ("Basic Auth Credentials", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
     r"""://[^:/?#\[\]@!$&'()*+,;=\s]+:([^:/?#\[\]@!$&'()*+,;=\s]+)@""",
     "https://ada:{8}@db.example/x", "https://ada.example:5432/x"),
    ("Braintree token", "https://developer.paypal.com/braintree/docs/",
     r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
     "access_token$production${16l}${32x}", "access_token$production",
     "$production$ $sandbox$"),
    ("Brevo key", "https://developers.brevo.com/docs/getting-started",
     r"\bx(?:keysib|smtpsib)-[0-9a-f]{64}-[0-9A-Za-z]{16}", "xkeysib-{64x}-{16}", "xkeysib-{64x}",
     "xkeysib- xsmtpsib-"),
    ("Buildkite token", "https://buildkite.com/docs/apis/managing-api-tokens",
     r"\bbkua_[0-9a-z]{40}", "bkua_{40l}", "bkua_{8l}",
     "bkua_"),
    ("Clojars token", "https://github.com/clojars/clojars-web/wiki/Deploy-Tokens",
     r"\bCLOJARS_[0-9a-z]{60}", "CLOJARS_{60l}", "CLOJARS_USERNAME",
     "CLOJARS_"),
    ("Cloudant Credentials", "https://cloud.ibm.com/docs/Cloudant",
     rf"(?i)(?:^|\W)(?:cloudant|cl|clou)[_-]?{_KEY}{_IS}(?P<value>[0-9a-f]{{64}}|[a-z]{{24}})(?:\W|$)",
     "cloudant_password = {64x}", "cloudant_password = {8x}"),
    ("Cloudant Credentials", "https://cloud.ibm.com/docs/Cloudant?topic=Cloudant-connecting",
     r"(?i)https?://[\w-]+:([0-9a-f]{64}|[a-z]{24})@[\w-]+\.cloudant\.com",
     "https://ada:{64x}@acme.cloudant.com", "https://acme.cloudant.com"),
    ("Cloudflare key", "https://developers.cloudflare.com/fundamentals/api/",
     r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}", "v1.0-{24x}-{146x}", "v1.0-{24x}"),
    ("Contentful token", "https://www.contentful.com/developers/docs/references/authentication/",
     r"\bCFPAT-[\w-]{43}", "CFPAT-{43}", "CFPAT-{8}",
     "CFPAT-"),
    ("Databricks token", "https://docs.databricks.com/aws/en/dev-tools/auth/pat",
     r"\bdapi[0-9a-f]{32}(?:-\d)?\b", "dapi{32x}", "dapi{8x}",
     "dapi"),
    ("DigitalOcean token", "https://docs.digitalocean.com/reference/api/create-personal-access-token/",
     r"\bdo[or]_v1_[0-9a-f]{64}", "doo_v1_{64x}", "doo_v1_{8x}",
     "doo_v1_ dor_v1_ dop_v1_"),
    ("Discord Bot Token", "https://discord.com/developers/docs/reference#authentication",
     r"[MNO][0-9A-Za-z_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}", "M{24}.{6}.{27}", "M{24}.{6}"),
    ("Doppler token", "https://docs.doppler.com/reference/auth-token-formats",
     r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z_-]{1,35}\.)?[0-9A-Za-z]{40,44}",
     "dp.pt.{43}", "dp.pt.{8}",
     "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit."),
    ("Duffel token", "https://duffel.com/docs/api/overview/authentication",
     r"\bduffel_(?:live|test)_[\w=-]{43}", "duffel_live_{43}", "duffel_live_{8}",
     "duffel_live_ duffel_test_"),
    ("Dynatrace token", "https://docs.dynatrace.com/docs/dynatrace-api/",
     r"\bdt0[a-z]\d\d\.[0-9A-Z]{8,24}\.[0-9A-Z]{64}", "dt0c01.{24u}.{64u}", "dt0c01.{24u}",
     "dt0"),
    ("EasyPost key", "https://docs.easypost.com/docs/authentication",
     r"\bEZ[AT]K[0-9A-Za-z]{54}", "EZAK{54}", "EZAK{8}",
     "EZAK EZTK"),
    ("Facebook token", "https://developers.facebook.com/docs/facebook-login/guides/access-tokens/",
     r"\bEAA[CM][0-9A-Za-z]{100,400}", "EAAC{120}", "EAAC{20}"),
    ("Flutterwave key", "https://developer.flutterwave.com/docs/authentication",
     r"\bFLWSECK(?:_TEST|_PROD)?-[0-9A-Za-z]{12,40}", "FLWSECK_TEST-{32}", "FLWPUBK_TEST-{32}"),
    ("Fly.io token", "https://fly.io/docs/security/tokens/",
     r"\bfo1_[\w-]{43}|\bfm[12][ar]?_[0-9A-Za-z+/]{80,}={0,3}", "fo1_{43}", "fo1_{8}",
     "fo1_ fm1_ fm1r_ fm1a_ fm2_ fm2r_ fm2a_"),
    ("Frame.io token", "https://developer.frame.io/",
     r"\bfio-u-[\w=-]{64}", "fio-u-{64}", "fio-u-{8}",
     "fio-u-"),
    ("GitHub Token", "https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/",
     r"gh[oprsu]_[0-9A-Za-z_]{36,}", "ghp_{36}", "ghp_{20}",
     "ghp_ gho_ ghu_ ghs_ ghr_"),
    ("GitLab Token", "https://docs.gitlab.com/security/tokens/#token-prefixes",
     r"(?:glpat|gldt|glft|glsoat|glrtr?|glffct|glwt)-[\w.-]{20,}|GR1348941[\w-]{20,50}\b"
     r"|glcbt-(?:[0-9a-zA-Z]{1,5}_)?[\w-]{20,}", "glpat-{20}", "glpat-{8}",
     "glpat- gldt- glft- glsoat- glrt- glrtr- glffct- glwt- GR1348941 glcbt-"),
    ("GitLab Token", "https://docs.gitlab.com/security/tokens/#token-prefixes",
     r"(?P<value>glimt-[\w-]{25}|glptt-[\w-]{40}|glagent-[\w-]{50,}|gloas-[\w-]{64})(?:[^\w-]|$)",
     "glptt-{40}", "glptt-{44}"),
    ("GoCardless token", "https://developer.gocardless.com/api-reference/",
     r"\blive_[0-9A-Za-z_=-]{40}\b", "live_{40}", "live_{8}"),
    ("Grafana token", "https://grafana.com/docs/grafana-cloud/",
     r"\bglc_[0-9A-Za-z+/]{32,400}={0,2}|\beyJrIjoi[0-9A-Za-z]{70,400}={0,2}",
     "glc_{64}", "glc_{8}"),
    ("Heroku key", "https://devcenter.heroku.com/articles/authentication",
     r"\bHRKU-AA[\w-]{58}", "HRKU-AA{58}", "HRKU-{8}",
     "HRKU-AA"),
    ("HubSpot token", "https://developers.hubspot.com/docs/",
     r"\bpat-(?:na|eu)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "pat-na1-{8x}-{4x}-{4x}-{4x}-{12x}", "pat-na1-{8x}",
     "pat-na pat-eu"),
    ("IBM Cloud IAM Key", "https://cloud.ibm.com/docs/account?topic=account-userapikey",
     rf"(?i)(?:^|\W)(?:ibm[_-]?cloud[_-]?iam|cloud[_-]?iam|ibm[_-]?cloud|ibm[_-]?iam|ibm|iam|cloud)?"
     rf"[_-]?{_KEY}{_IS}(?P<value>[\w-]{{44}})(?:[^\w-]|$)",
     "ibm_cloud_api_key: {44}", "ibm_cloud_api_key: {8}"),
    ("IBM COS HMAC Credentials", "https://cloud.ibm.com/docs/cloud-object-storage",
     r"(?i)(?:^|\W)(?:(?:ibm)?[_-]?cos[_-]?(?:hmac)?)?[_-]?secret[_-]?(?:access)?[_-]?key"
     rf"{_IS}(?P<value>[0-9a-f]{{48}})(?:[^0-9a-f]|$)",
     "cos_hmac_secret_access_key={48x}", "cos_hmac_secret_access_key={8x}"),
    ("JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519",
     r"eyJ[\w=-]+\.[\w=-]+\.?[\w.+/=-]*", "eyJ{20}.{20}.{20}", "eyJ{20}"),
    ("Lob key", "https://docs.lob.com/#tag/Authentication",
     r"\b(?:live|test)_(?:pub_)?[0-9a-f]{35}\b", "live_{35x}", "live_{8x}"),
    ("Mailchimp Access Key", "https://mailchimp.com/developer/marketing/guides/quick-start/",
     r"[0-9a-z]{32}-us[0-9]{1,2}", "{32x}-us12", "{32x}-us"),
    ("Mailgun key", "https://documentation.mailgun.com/docs/mailgun/",
     r"\b(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b", "key-{32x}", "key-{8x}"),
    ("Mapbox secret token", "https://docs.mapbox.com/help/dive-deeper/access-tokens/",
     r"\bsk\.eyJ[\w-]{40,}\.[\w-]{20,}", "sk.eyJ{60}.{22}", "sk.eyJ{60}",
     "sk.eyJ"),
    ("MaxMind key", "https://dev.maxmind.com/license-key-validation-api/",
     r"\b[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk\b", "{6}_{29}_mmk", "{6}_mmk",
     "_mmk"),
    ("Netlify token", "https://docs.netlify.com/api/get-started/#authentication",
     r"\bnf[abcopu]_[0-9A-Za-z_]{36}", "nfp_{36}", "nfp_{8}",
     "nfa_ nfb_ nfc_ nfo_ nfp_ nfu_"),
    ("New Relic key", "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
     r"\bNR(?:AK|II|IQ|RA|AL)-[\w-]{27,42}|\bNRJS-[0-9a-f]{19}", "NRAK-{27u}", "NRAK-{8u}",
     "NRAK- NRII- NRIQ- NRRA- NRAL- NRJS-"),
    ("Notion token", "https://developers.notion.com/docs/authorization",
     r"\bsecret_[0-9A-Za-z]{43}\b", "secret_{43}", "secret_{8}"),
    ("NPM tokens", "https://docs.npmjs.com/about-access-tokens",
     r"//[^\s/]+/[^\s]*:_authToken=\s*(npm_\S+|[0-9A-Fa-f-]{36})",
     "//registry.example/:_authToken={8x}-{4x}-{4x}-{4x}-{12x}",
     "//registry.example/:_authToken=$(cat x)"),
    ("NuGet key", "https://learn.microsoft.com/nuget/nuget-org/publish-a-package",
     r"\boy2[0-9a-z]{43}\b", "oy2{43l}", "oy2{8l}"),
    ("Octopus Deploy key", "https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key",
     r"\bAPI-[0-9A-Z]{26,}\b", "API-{26u}", "API-{8u}"),
    ("OpenAI Token", "https://platform.openai.com/docs/api-reference/authentication",
     r"sk-[\w-]{0,80}[0-9A-Za-z]{20}T3BlbkFJ[\w-]{20,}", "sk-{20}T3BlbkFJ{20}", "sk-{20}",
     "T3BlbkFJ"),
    ("OpenShift token", "https://docs.redhat.com/en/documentation/openshift_container_platform/",
     r"\bsha256~[\w-]{43}", "sha256~{43}", "sha256:{64x}",
     "sha256~"),
    ("Perplexity key", "https://docs.perplexity.ai/getting-started/quickstart",
     r"\bpplx-[0-9A-Za-z]{48}", "pplx-{48}", "pplx-{8}",
     "pplx-"),
    ("Plaid token", "https://plaid.com/docs/api/tokens/",
     r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "access-production-{8x}-{4x}-{4x}-{4x}-{12x}", "access-production-{8x}",
     "access-sandbox- access-development- access-production-"),
    ("PlanetScale token", "https://planetscale.com/docs/",
     r"\bpscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}", "pscale_tkn_{43}", "pscale_tkn_{8}",
     "pscale_"),
    ("Prefect token", "https://docs.prefect.io/",
     r"\bpn[bu]_[0-9A-Za-z]{36}", "pnu_{36}", "pnu_{8}",
     "pnu_ pnb_"),
    ("Private Key", "https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html",
     r"PuTTY-User-Key-File-[23]", "PuTTY-User-Key-File-2", "PuTTY-User-Key"),
    ("PyPI Token", "https://pypi.org/help/#apitoken",
     r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{70,}",
     "pypi-AgEIcHlwaS5vcmc{70}", "pypi-{8}",
     "pypi-Ag"),
    ("ReadMe key", "https://docs.readme.com/main/reference/",
     r"\brdme_[0-9a-z]{70}", "rdme_{70l}", "rdme_{8l}",
     "rdme_"),
    ("Scalingo token", "https://developers.scalingo.com/tokens",
     r"\btk-us-[\w-]{48}", "tk-us-{48}", "tk-us-{8}",
     "tk-us-"),
    ("SendGrid API Key", "https://www.twilio.com/docs/sendgrid",
     r"SG\.[\w-]{20,24}\.[\w-]{39,50}", "SG.{22}.{43}", "SG.{22}",
     "SG."),
    ("Shippo token", "https://docs.goshippo.com/",
     r"\bshippo_(?:live|test)_[0-9a-f]{40}", "shippo_live_{40x}", "shippo_live_{8x}",
     "shippo_live_ shippo_test_"),
    ("Slack Token", "https://docs.slack.dev/authentication/tokens",
     r"(?i)xox[abposre](?:\.xox[bp])?-(?:\d+-)+[0-9a-z-]+|https://hooks\.slack\.com/services/T\w+/B\w+/\w+",
     "xoxb-{12d}-{12d}-{24}", "xoxb-name"),
    ("SoftLayer Credentials", "https://sldn.softlayer.com/article/authenticating-softlayer-api/",
     rf"(?i)(?:^|\W)(?:softlayer|sl)[_-]?{_KEY}{_IS}(?P<value>[0-9a-z]{{64}})(?:\W|$)",
     "sl_api_key={64x}", "sl_api_key={8x}"),
    ("SoftLayer Credentials", "https://sldn.softlayer.com/article/authenticating-softlayer-api/",
     r"(?i)https?://api\.softlayer\.com/soap/v3(?:\.1)?/(?P<value>[0-9a-z]{64})",
     "https://api.softlayer.com/soap/v3/{64x}", "https://api.softlayer.com/soap/v3/"),
    ("SonarQube token", "https://docs.sonarsource.com/sonarqube-server/",
     r"\bsq[aup]_[0-9a-z]{40}", "squ_{40l}", "squ_{8l}",
     "sqa_ squ_ sqp_"),
    ("Square OAuth Secret", "https://developer.squareup.com/docs/build-basics/access-tokens",
     r"\bsq0(?:csp|atp|idp)-[\w\\-]{22,43}", "sq0csp-{43}", "sq0csp-{8}",
     "sq0csp- sq0atp- sq0idp-"),
    ("Stripe Access Key", "https://docs.stripe.com/keys",
     r"[rs]k_(?:live|test|prod)_[0-9A-Za-z]{24,}", "sk_live_{24}", "pk_live_{24}",
     "k_live_ k_test_ k_prod_"),
    ("Supabase token", "https://supabase.com/docs/guides/api/api-keys",
     r"\bsbp_(?:v0_)?[0-9a-f]{40}|\bsb_secret_[\w-]{31}", "sbp_{40x}", "sbp_{8x}",
     "sbp_ sb_secret_"),
    ("Tailscale key", "https://tailscale.com/kb/1085/auth-keys",
     r"\btskey-[a-z]{3,9}-[0-9A-Za-z_]{8,}-[0-9A-Za-z_]{20,}",
     "tskey-auth-{12}-{32}", "tskey-auth",
     "tskey-"),
    ("Telegram Bot Token", "https://core.telegram.org/bots/api#authorizing-your-bot",
     r"\d{8,10}:[\w-]{35}", "{10d}:{35}", "{10d}:{8}"),
    ("Terraform token", "https://developer.hashicorp.com/terraform/cloud-docs/api-docs",
     r"\b[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,70}", "{14}.atlasv1.{67}", "{14}.atlasv1",
     ".atlasv1."),
    ("Twilio API Key", "https://www.twilio.com/docs/iam/api-keys",
     r"(?:AC|SK)[0-9a-z]{32}", "SK{32x}", "SK{8x}"),
    ("Typeform token", "https://www.typeform.com/developers/get-started/",
     r"\btfp_[\w.=-]{59}", "tfp_{59}", "tfp_{8}",
     "tfp_"),
    ("Vault token", "https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes",
     r"\bhvb\.[\w-]{90,}", "hvb.{138}", "hvb.{8}",
     "hvb."),
    ("WakaTime key", "https://wakatime.com/developers#authentication",
     r"\bwaka_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "waka_{8x}-{4x}-{4x}-{4x}-{12x}", "waka_{8x}",
     "waka_"),
    ("Yandex key", "https://yandex.cloud/en/docs/iam/",
     r"\bAQVN[\w-]{35,38}\b|\bt1\.[\w=-]{1,400}\.[\w-]{86}", "AQVN{36}", "AQVN{8}"),
    ("Age key", "https://age-encryption.org/v1",
     r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "AGE-SECRET-KEY-1{58u}", "AGE-SECRET-KEY-1",
     "AGE-SECRET-KEY-1"),
    ("Anthropic key", "https://docs.anthropic.com/en/api/getting-started",
     r"\bsk-ant-[a-z]{2,10}[0-9]{2}-[\w-]{80,120}", "sk-ant-api03-{95}", "sk-ant-api03-{8}",
     "sk-ant-"),
    ("API key of orgctx", "https://www.rfc-editor.org/rfc/rfc6750",
     r"\boctx_[0-9A-Za-z]{40}", "octx_{34}{crc}", "octx_{8}", "octx_"),
    ("Docker token", "https://docs.docker.com/security/access-tokens/",
     r"\bdckr_pat_[\w-]{27}", "dckr_pat_{27}", "dckr_pat_{8}", "dckr_pat_"),
    ("GitHub Token", "https://docs.github.com/en/authentication",
     r"\bgithub_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}", "github_pat_{22}_{59}", "github_pat_{22}",
     "github_pat_"),
    ("Google API key", "https://cloud.google.com/docs/authentication/api-keys",
     r"\bAIza[\w-]{35}", "AIza{35}", "AIza{8}", "AIza"),
    ("Google OAuth secret", "https://developers.google.com/identity/protocols/oauth2",
     r"\bGOCSPX-[\w-]{28}", "GOCSPX-{28}", "GOCSPX-{8}", "GOCSPX-"),
    ("Grafana token", "https://grafana.com/docs/grafana/latest/administration/service-accounts/",
     r"\bglsa_[0-9A-Za-z]{32}_[0-9a-f]{8}", "glsa_{32}_{8x}", "glsa_{32}", "glsa_"),
    ("Hugging Face token", "https://huggingface.co/docs/hub/security-tokens",
     r"\bhf_[0-9A-Za-z]{34}", "hf_{34}", "hf_{8}", "hf_"),
    ("Linear key", "https://linear.app/developers",
     r"\blin_api_[0-9A-Za-z]{40}", "lin_api_{40}", "lin_api_{8}", "lin_api_"),
    ("npm token", "https://docs.npmjs.com/about-access-tokens",
     r"\bnpm_[0-9A-Za-z]{36}", "npm_{30}{crc}", "npm_{8}", "npm_"),
    ("Postman key", "https://learning.postman.com/docs/developer/postman-api/",
     r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PMAK-{24x}-{34x}", "PMAK-{24x}", "PMAK-"),
    ("Private Key", "https://www.rfc-editor.org/rfc/rfc7468",
     r"-----BEGIN (?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
     r"(?:\s|\\[nr]|[\"',>+]|(?:Proc-Type|DEK-Info|Version|Comment|Charset):[^\n]*\n){0,40}"
     r"[A-Za-z0-9+/=]{32}",
     "-----BEGIN {3u} PRIVATE KEY-----\n{64}", "-----BEGIN PRIVATE KEY-----\n...", "-----BEGIN"),
    ("RubyGems key", "https://guides.rubygems.org/api-key-scopes/",
     r"\brubygems_[0-9a-f]{48}", "rubygems_{48x}", "rubygems_{8x}", "rubygems_"),
    ("Shopify token", "https://shopify.dev/docs/apps/build/authentication-authorization",
     r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", "shpat_{32x}", "shpat_{8x}",
     "shpat_ shpca_ shppa_ shpss_"),
    ("Slack Token", "https://docs.slack.dev/authentication/tokens",
     r"\bxox[abposre](?:\.xox[bp])?-(?:[0-9]{1,20}-){1,5}[0-9A-Za-z-]{16,}",
     "xoxb-{12d}-{12d}-{24}", "xoxb-name-{24}", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xoxe."),
    ("Slack Token", "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
     r"hooks\.slack\.com/services/T[0-9A-Z]{8,12}/B[0-9A-Z]{8,12}/[0-9A-Za-z]{24}",
     "https://hooks.slack.com/services/T{10u}/B{10u}/{24}",
     "https://hooks.slack.com/services/T{10u}",
     "/services/T"),
    ("Telegram Bot Token", "https://core.telegram.org/bots/api#authorizing-your-bot",
     r"\b[0-9]{8,10}:AA[\w-]{33}\b", "{10d}:AA{33}", "{10d}:AA{8}", ":AA"),
    ("Vault token", "https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes",
     r"\bhvs\.[\w-]{90,}", "hvs.{95}", "hvs.{8}", "hvs."),
))
# fmt: on
CERTAIN = tuple(kind for kind in KINDS if kind.literals)


def _has_checksum(token: str) -> bool:
    """Return whether the last 6 characters are the CRC-32 of the 30 before them."""
    body = token.partition("_")[2]
    return len(body) == 36 and checksum(body[:-6]) == body[-6:]


# What a match of a certain kind has to pass, by prefix.
CHECKSUMS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"), _has_checksum),
    "octx_": is_well_formed,
}
# Fewer different ones among the last 16 characters are a placeholder, such as `glpat-xxxxxxxx`.
FEWEST_CHARACTERS = 4


# What readers do not see inside a secret: backslashes with which writers of Markdown escape `_` and
# other punctuation, soft hyphens, and characters without a width.
INVISIBLE = "\xad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
IGNORED = re.compile(rf"\\(?=[!-/:-@\[-`{{-~])|[{INVISIBLE}]")

# Every certain secret has 20 letters, digits, `_` and `-` in a row, and its literal begins at most
# 40 characters before them. Texts have few such runs: one pass finds them, and the literals are
# sought only there.
RUN = re.compile(b"a" * 20 + b"a*")
BEFORE_RUN = 40
# A run of these is a word, an identifier or a rule.
NO_SECRET = b"abcdefghijklmnopqrstuvwxyz_-"
_CLASSES = bytes(97 if chr(byte).isalnum() or chr(byte) in "_-" else 32 for byte in range(128))
_CLASSES += b" " * 128


def certain_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets of a certain kind in a text, also with characters of IGNORED in them."""
    found = dict.fromkeys(_certain_secrets(text))
    # Without them, a secret may be the middle of a longer string; so this is a second search.
    # The first condition is much faster than the expression.
    if any(map(text.__contains__, f"\\{INVISIBLE}")) and (
        places := [match.start() for match in IGNORED.finditer(text)]
    ):
        before = [place - count for count, place in enumerate(places)]
        for name, start, end in _certain_secrets(IGNORED.sub("", text)):
            span = start + bisect_right(before, start), end + bisect_left(before, end)
            found[Secret(name, *span)] = None
    yield from found


def _certain_secrets(text: str) -> Iterator[Secret]:
    letters = text.encode("ascii", "replace")
    spans = (run.span() for run in RUN.finditer(letters.translate(_CLASSES)))
    parts = b"\n".join(
        letters[max(0, start - BEFORE_RUN) : end]
        for start, end in spans
        if letters[start:end].strip(NO_SECRET)
    )
    if not parts:
        return
    for kind, pattern, literals in _certain():
        if any(literal in parts for literal in literals):
            for match in pattern.finditer(text):
                if is_certain(match[0]) and not is_middle(match.string, *match.span()):
                    yield Secret(kind.name, *match.span())


def is_certain(secret: str) -> bool:
    """Return whether a match of a certain kind has the right checksum, and is no placeholder."""
    has_checksum = next((CHECKSUMS[each] for each in CHECKSUMS if secret.startswith(each)), None)
    return (has_checksum is None or has_checksum(secret)) and (
        len(set(secret[-16:])) >= FEWEST_CHARACTERS
    )


def is_middle(text: str, start: int, end: int) -> bool:
    """Return whether a match is the middle of a longer string of letters and digits."""
    edges = text[max(0, start - 1) : start + 1] + text[end - 1 : end + 1]
    return len(edges) == 4 and edges.isalnum() and edges.isascii()


@cache
def _certain() -> list[tuple[SecretKind, re.Pattern[str], list[bytes]]]:
    return [
        (kind, re.compile(kind.expression, re.ASCII), kind.literals.encode().split())
        for kind in CERTAIN
    ]
