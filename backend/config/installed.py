"""The apps, the middleware and the templates of the site; `settings` takes them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

INSTALLED_APPS = [
    "backend.people.admin_config.ConnoteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_prometheus",
    "csp",
    "backend.common",
    "backend.people",
    "backend.projects",
    "backend.webhooks",
    "backend.runs",
    "backend.catalogue",
    "backend.candidates",
    "backend.qualification",
    "backend.annotation",
    "backend.controls",
    "backend.quality",
    "backend.forecast",
    "backend.foreign",
    "backend.agreement",
    "backend.feedback",
    "backend.review",
    "backend.curation",
    "backend.surveys",
    "backend.releases",
    "backend.reports",
    "backend.benchmarks",
    "backend.exports",
    "backend.erasure",
    "workers",
]

MIDDLEWARE = [
    "backend.common.middleware.KnownMethodsMiddleware",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Around WhiteNoise, which also sends the front end's page.
    "backend.common.middleware.ContentPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Gives an ETag to what a client may keep. PrivateByDefaultMiddleware, inside it, forbids that for other answers.
    "django.middleware.http.ConditionalGetMiddleware",
    "backend.common.middleware.PrivateByDefaultMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "backend.common.middleware.RequestLogMiddleware",
    "backend.common.middleware.BodyLimitMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
