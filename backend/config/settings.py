"""Every setting of Connote, read from the environment; `.env.example` lists the variables.

What is the same on every site stands beside this file: installed.py, api_settings.py and chores.py.

Two ways to run, told apart by one variable: without CONNOTE_REDIS_URL the house is *embedded* (SQLite unless a database
is named, Celery in this process); with it, Celery and the cache live in Redis.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from backend.config import api_settings, installed
from backend.config.chores import chores
from backend.config.env import (
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_networks,
    env_path,
    env_secret,
    env_str,
    with_password,
)
from backend.config.logs import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent.parent

DEBUG = env_bool(
    "CONNOTE_DEBUG", False, help="Development mode: readable errors, a default secret. Never use it in production."
)
SECRET_KEY = env_secret(
    "CONNOTE_SECRET_KEY",
    debug=DEBUG,
    debug_value="connote-debug-key-that-everyone-can-read-change-me",
    help="Signs sessions and media links. Use your own text of at least 32 characters.",
)
SECRET_KEY_FALLBACKS = env_list(
    "CONNOTE_SECRET_KEY_FALLBACKS",
    help="Earlier secret keys, with commas. Their sessions and links stay valid until you remove them.",
)
ALLOWED_HOSTS = env_list(
    "CONNOTE_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", help="Host names of the site, with commas."
)
CSRF_TRUSTED_ORIGINS = env_list(
    "CONNOTE_TRUSTED_ORIGINS", help="Origins that may send forms, with commas: https://connote.example.org"
)
PROXIES = env_int(
    "CONNOTE_PROXIES", 0, help="Number of reverse proxies that add to X-Forwarded-For. 0 ignores this header."
)
HTTPS = env_bool("CONNOTE_HTTPS", False, help="The site uses https: secure cookies and HSTS.")

DATA_DIR = env_path("CONNOTE_DATA_DIR", BASE_DIR / "var", help="The folder for SQLite, media and releases.")
DATA_DIR.mkdir(parents=True, exist_ok=True)
DATABASE_URL = env_str(
    "CONNOTE_DATABASE_URL",
    f"sqlite:///{DATA_DIR / 'connote.sqlite3'}",
    help="postgres://user:password@host:5432/name. Leave it empty for SQLite in CONNOTE_DATA_DIR.",
)
DATABASE_PASSWORD = env_str(
    "CONNOTE_DATABASE_PASSWORD", help="The password of the database, if CONNOTE_DATABASE_URL does not have it."
)
DB_POOL_MAX = env_int("CONNOTE_DB_POOL_MAX", 8, minimum=1, help="PostgreSQL connections of each process, at most.")
DB_PREPARE = env_bool(
    "CONNOTE_DB_PREPARE",
    True,
    help="Keep plans and cursors on connections. Use false behind pgbouncer in transaction mode.",
)
DB_FAIL_FAST = env_bool(
    "CONNOTE_DB_FAIL_FAST",
    False,
    help="Answer after 3 seconds if PostgreSQL is away. Gunicorn sets it. Workers wait for 20 seconds.",
)
REDIS_URL = env_str("CONNOTE_REDIS_URL", help="redis://host:6379/0. Leave it empty to run Celery in this process.")
REDIS_PASSWORD = env_str("CONNOTE_REDIS_PASSWORD", help="The password of Redis, if CONNOTE_REDIS_URL does not have it.")
if REDIS_PASSWORD and REDIS_URL:
    REDIS_URL = with_password(REDIS_URL, REDIS_PASSWORD)
EMBEDDED = not REDIS_URL
DEMO = env_bool(
    "CONNOTE_DEMO",
    False,
    help="All people on this machine can sign in to demo accounts with one click. Only for a site on this machine.",
)
LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
if DEMO and (REDIS_URL or HTTPS or PROXIES or not set(ALLOWED_HOSTS) <= LOOPBACK):
    raise ImproperlyConfigured(
        "CONNOTE_DEMO lets all people sign in, so only this machine may reach the site. Unset "
        "CONNOTE_DEMO, or unset CONNOTE_REDIS_URL, CONNOTE_HTTPS, CONNOTE_PROXIES and "
        "CONNOTE_ALLOWED_HOSTS."
    )
EMBEDDED_WAITS = False  # commands and tests set it: an embedded run then ends before `start_run` returns

S3_BUCKET = env_str("CONNOTE_S3_BUCKET", help="Keep media in this S3 bucket instead of CONNOTE_DATA_DIR.")
S3_ENDPOINT = env_str("CONNOTE_S3_ENDPOINT", help="Endpoint of an S3-compatible store. Leave it empty for AWS.")
S3_REGION = env_str("CONNOTE_S3_REGION", help="Region of the bucket.")
S3_ACCESS_KEY = env_str(
    "CONNOTE_S3_ACCESS_KEY", help="The access key of the store. Leave it empty to use the role of the machine."
)
S3_SECRET_KEY = env_str("CONNOTE_S3_SECRET_KEY", help="The secret of CONNOTE_S3_ACCESS_KEY.")
ACCEL_REDIRECT = env_str(
    "CONNOTE_ACCEL_REDIRECT",
    help="Internal location of nginx for the media folder. Leave it empty to let Django send files.",
)

EMAIL_HOST = env_str(
    "CONNOTE_EMAIL_HOST", help="Mail server for links to a new password. Leave it empty to send no emails."
)
EMAIL_PORT = env_int("CONNOTE_EMAIL_PORT", 587, minimum=1, help="Port of the mail server.")
EMAIL_HOST_USER = env_str("CONNOTE_EMAIL_USER", help="The name that the mail server asks for.")
EMAIL_HOST_PASSWORD = env_str("CONNOTE_EMAIL_PASSWORD", help="The password of CONNOTE_EMAIL_USER.")
EMAIL_SECURITY = env_choice(
    "CONNOTE_EMAIL_SECURITY",
    "starttls",
    choices=("starttls", "tls", "none"),
    help="How to encrypt the connection to the mail server.",
)
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = env_str("CONNOTE_EMAIL_FROM", "connote@localhost", help="The sender of emails.")
PASSWORD_RESET_TIMEOUT = 48 * 3600

SIGN_UP_OPEN = env_bool("CONNOTE_SIGN_UP_OPEN", False, help="All people can make an account. Invitations always work.")
MEMBERS_CREATE_PROJECTS = env_bool(
    "CONNOTE_MEMBERS_CREATE_PROJECTS",
    False,
    help="All people with an account can create projects. Otherwise only staff can.",
)
IMPORT_ROOTS = [
    Path(root).resolve()
    for root in env_list(
        "CONNOTE_IMPORT_ROOTS",
        help="Folders for imports, with commas; {project} in one is the slug of a project. Empty: none.",
    )
]
MAX_UPLOAD_MB = env_int("CONNOTE_MAX_UPLOAD_MB", 2048, minimum=1, help="Largest upload in MB.")
IMPORT_MEMORY_MB = env_int(
    "CONNOTE_IMPORT_MEMORY_MB", 8192, minimum=256, help="MB of memory that an import may take in a worker."
)
MEDIA_LINK_HOURS = env_int(
    "CONNOTE_MEDIA_LINK_HOURS",
    2,
    minimum=1,
    help="A link to an image is valid for this number of hours, at most twice as long.",
)
KEEP_UPLOADS_DAYS = env_int(
    "CONNOTE_KEEP_UPLOADS_DAYS", 30, help="Days until an upload is deleted. What was imported stays. 0 keeps uploads."
)
KEEP_EXPORTS_DAYS = env_int(
    "CONNOTE_KEEP_EXPORTS_DAYS", 7, help="Days until the file of an export is deleted. 0 keeps the files."
)
MAX_IMAGE_PIXELS = env_int(
    "CONNOTE_MAX_IMAGE_PIXELS", 100_000_000, minimum=1, help="Images with more pixels are refused."
)
HUB_MODELS = env_list(
    "CONNOTE_HUB_MODELS", "*", help="Models of the hub that curators may load, with commas. * is any text."
)
HUB_TOKEN = env_str("CONNOTE_HUB_TOKEN", help="Token with write access, for push_release to the Hugging Face Hub.")
HUB_URL = env_str("CONNOTE_HUB_URL", "https://huggingface.co", help="The hub that push_release sends releases to.")
ZENODO_TOKEN = env_str("CONNOTE_ZENODO_TOKEN", help="Token with the scope deposit:write, for push_release to Zenodo.")
ZENODO_URL = env_str(
    "CONNOTE_ZENODO_URL",
    "https://zenodo.org",
    help="The Zenodo of push_release. For tests: https://sandbox.zenodo.org.",
)
SENTENCE_MODEL = env_str(
    "CONNOTE_SENTENCE_MODEL",
    "all-MiniLM-L6-v2",
    help="Model for sentences, for Select captions: a name or a local path.",
)
DIFFICULTY_PANEL = env_str(
    "CONNOTE_DIFFICULTY_PANEL",
    "postcards-1-rn,postcards-2-rn,postcards-3-vit,postcards-4-vit,postcards-5-vit,postcards-6-vit,postcards-7-tie",
    help="Models that vote on difficulty, with commas: names or local paths. The last one decides ties.",
)
VISION_MODEL = env_str(
    "CONNOTE_VISION_MODEL",
    "postcards-vision",
    help="Model for images, for Find captions: a name (DINOv2 ...) or a local path.",
)
# The engines read these two themselves (workers/engines/devices.py), since they know no Django.
DEVICE = env_str(
    "CONNOTE_DEVICE",
    "auto",
    help="The device of the models: auto (a GPU if there is one), cpu, cuda, or one GPU: cuda:1.",
)
PRECISION = env_choice(
    "CONNOTE_PRECISION",
    "float32",
    choices=("float32", "bfloat16"),
    help="Numbers on a GPU: float32 gives the vectors of a processor. bfloat16 is faster, but less exact.",
)
EMBEDDINGS = env_path(
    "CONNOTE_EMBEDDINGS",
    DATA_DIR / "embeddings",
    help="The folder for the vectors of images and corpora. All workers must share it.",
)
FETCH_CORPORA = env_bool(
    "CONNOTE_FETCH_CORPORA", False, help="Workers may download the images of corpora that are lists of addresses."
)
CALIBRATIONS = env_path(
    "CONNOTE_CALIBRATIONS",
    DATA_DIR / "calibrations",
    help="The folder for the thresholds of models, from `manage.py calibrate`.",
)
CARRIED_MODELS = BASE_DIR / "workers" / "models"  # those that come with Connote, each with its calibration
GOOGLE_VISION_KEY = env_str(
    "CONNOTE_GOOGLE_VISION_KEY",
    help="Key of the Google Cloud Vision API, for web titles. Leave it empty to skip this stage.",
)
GOOGLE_VISION_ENDPOINT = env_str(
    "CONNOTE_GOOGLE_VISION_ENDPOINT",
    "https://vision.googleapis.com/v1/images:annotate",
    help="The address for images and the key: https, or this machine.",
)
GOOGLE_VISION_PER_MINUTE = env_int(
    "CONNOTE_GOOGLE_VISION_PER_MINUTE",
    600,
    minimum=1,
    help="Images that a worker sends in a minute. The quota of Google is 1,800.",
)
GOOGLE_VISION_CENTS = env_int(
    "CONNOTE_GOOGLE_VISION_CENTS", 350, help="US cents that Google charges for 1,000 looked-up images."
)
GOOGLE_VISION_FREE_UNITS = env_int(
    "CONNOTE_GOOGLE_VISION_FREE_UNITS", 1000, help="Free images of Google in each month."
)
RUN_STALE_SECONDS = env_int(
    "CONNOTE_RUN_STALE_SECONDS",
    60,
    minimum=2,
    help="Another worker takes a run that shows no progress for this number of seconds.",
)
RUN_CANCEL_SECONDS = env_int(
    "CONNOTE_RUN_CANCEL_SECONDS",
    60,
    minimum=1,
    help="A worker process ends when a cancelled step goes on for this number of seconds.",
)
TOKEN_CALLS_PER_MINUTE = env_int(
    "CONNOTE_TOKEN_CALLS_PER_MINUTE", 1200, help="Requests that one API token may send in a minute. 0: no limit."
)
SESSION_CALLS_PER_MINUTE = env_int(
    "CONNOTE_SESSION_CALLS_PER_MINUTE",
    1200,
    help="Requests that one signed-in person may send in a minute. 0: no limit.",
)
WEBHOOK_NETWORKS = env_networks(
    "CONNOTE_WEBHOOK_NETWORKS",
    help="Private networks that webhooks may reach too, with commas: 10.1.0.0/16. Empty: none.",
)
READY_TIMEOUT_SECONDS = env_int(
    "CONNOTE_READY_TIMEOUT_SECONDS", 2, minimum=1, help="Seconds that /health/ready waits for a worker."
)


def code_version() -> str:
    """The commit this code was built from, as releases and runs record it; `unknown` outside a checkout."""
    command = ["git", "-C", str(BASE_DIR), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


CODE_VERSION = (
    env_str("CONNOTE_CODE_VERSION", help="The commit of this build. Leave it empty to read it from git.")
    or code_version()
)

INSTALLED_APPS = installed.INSTALLED_APPS
MIDDLEWARE = installed.MIDDLEWARE
TEMPLATES = installed.TEMPLATES
ROOT_URLCONF = "backend.config.urls"
WSGI_APPLICATION = "backend.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "people.User"


def database(url: str) -> dict[str, Any]:
    """Django's settings for one database: PostgreSQL with a pool, or SQLite that several threads can write."""
    config: dict[str, Any] = dict(dj_database_url.parse(url))
    config["PASSWORD"] = DATABASE_PASSWORD or config.get("PASSWORD", "")
    if config["ENGINE"].endswith("sqlite3"):
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-64000;",
        }
    else:
        config["OPTIONS"] = config.get("OPTIONS", {}) | {
            # A pool that failed for longer tries again only when it is asked, which is sooner than its own waits grow.
            "pool": {"min_size": 1, "max_size": DB_POOL_MAX, "timeout": 20, "reconnect_timeout": 5},
            # Values go to PostgreSQL apart from the statement, which it then plans once for each connection.
            "server_side_binding": DB_PREPARE,
            "prepare_threshold": 5 if DB_PREPARE else None,
        }
        config["DISABLE_SERVER_SIDE_CURSORS"] = not DB_PREPARE
        config["CONN_MAX_AGE"] = 0
        if DB_FAIL_FAST:
            config["ENGINE"] = "backend.common.postgresql"
            config["OPTIONS"]["pool"]["timeout"] = 3
    return config


DATABASES = {"default": database(DATABASE_URL)}
CACHES: dict[str, dict[str, Any]]
if EMBEDDED:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
else:
    CACHES = {
        "default": {
            "BACKEND": "backend.common.cached.SharedCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"serializer": "backend.common.cached.JsonSerializer"},
        }
    }

MEDIA_ROOT = DATA_DIR / "media"
MEDIA_URL = "/media/"
LOCAL_MEDIA = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
S3_MEDIA = {
    "BACKEND": "storages.backends.s3.S3Storage",
    "OPTIONS": {
        "bucket_name": S3_BUCKET,
        "endpoint_url": S3_ENDPOINT or None,
        "region_name": S3_REGION or None,
        "access_key": S3_ACCESS_KEY or None,
        "secret_key": S3_SECRET_KEY or None,
        "default_acl": None,
        "file_overwrite": True,
    },
}
STORAGES = {
    "default": S3_MEDIA if S3_BUCKET else LOCAL_MEDIA,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_URL = "/static/"
STATIC_ROOT = env_path(
    "CONNOTE_STATIC_ROOT",
    DATA_DIR / "static",
    help="The folder for the static files of the admin pages and the API pages.",
)
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
FRONTEND_DIST = env_path(
    "CONNOTE_FRONTEND_DIST", BASE_DIR / "frontend" / "dist", help="The folder of the built front end."
)
WHITENOISE_ROOT = FRONTEND_DIST if FRONTEND_DIST.is_dir() else None
WHITENOISE_USE_FINDERS = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 2000

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
CSRF_FAILURE_VIEW = "backend.config.site.csrf_failure"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 3600 * env_int(
    "CONNOTE_SESSION_IDLE_HOURS", 72, minimum=1, help="A session ends after this number of hours without a request."
)
SESSION_DAYS = env_int("CONNOTE_SESSION_DAYS", 14, minimum=1, help="A session ends after this number of days at most.")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

REST_FRAMEWORK = api_settings.REST_FRAMEWORK | {"NUM_PROXIES": PROXIES}
SPECTACULAR_SETTINGS = api_settings.SPECTACULAR_SETTINGS

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_ALWAYS_EAGER = EMBEDDED
CELERY_TASK_EAGER_PROPAGATES = False
CELERY_IMPORTS = ("workers.tasks",)
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "cpu"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")
CHORES = chores(RUN_STALE_SECONDS)
# Behind a long stage these pile up; one that nobody took before the next is due need not be done.
CELERY_BEAT_SCHEDULE = {
    name: {"task": name, "schedule": seconds, "options": {"expires": seconds}} for name, (_, seconds) in CHORES.items()
}

LOGGING = logging_config(
    level=env_str("CONNOTE_LOG_LEVEL", "INFO", help="DEBUG, INFO, WARNING or ERROR.").upper(),
    style=env_choice("CONNOTE_LOG_FORMAT", "json", choices=("json", "console"), help="The format of log lines."),
)
PROMETHEUS_EXPORT_MIGRATIONS = False
