from __future__ import annotations

from django.urls import path

from backend.people import api

urlpatterns = [
    path("session", api.SessionApi.as_view()),
    path("session/demo", api.DemoSessionApi.as_view()),
    path("sign-up", api.SignUpApi.as_view()),
    path("me", api.MeApi.as_view()),
    path("me/password", api.PasswordApi.as_view()),
    path("password-reset", api.ResetMailApi.as_view()),
    path("password-reset/check", api.ResetDoorApi.as_view()),
    path("password-reset/confirm", api.ResetApi.as_view()),
    path("me/tokens", api.TokenListApi.as_view()),
    path("me/tokens/<int:token_id>", api.TokenApi.as_view()),
]
