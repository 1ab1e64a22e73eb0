"""The doors of the site, and what a person may do to their own account."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.db.models import QuerySet
from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from backend.common.errors import InvalidInput, NotFound
from backend.people import demo, resets, selectors, services
from backend.people.authentication import SiteAuthentication, enter_site
from backend.people.models import ApiToken, User
from backend.people.permissions import InPerson
from backend.people.serializers import (
    DemoSignInIn,
    MeIn,
    MeOut,
    NewTokenOut,
    PasswordChangeIn,
    ResetDoorOut,
    ResetIn,
    ResetLinkIn,
    ResetMailIn,
    SessionOut,
    SignInIn,
    SignUpIn,
    TokenIn,
    TokenOut,
)
from backend.people.throttles import (
    PasswordThrottle,
    ResetAddressThrottle,
    ResetLinkThrottle,
    ResetPersonThrottle,
    SignInAddressThrottle,
    SignInPersonThrottle,
    SignUpThrottle,
)


class WrongCredentials(InvalidInput):
    """This name and password do not match. Check capital letters and try again."""

    code = "wrong_credentials"


@method_decorator(never_cache, name="dispatch")
class SessionApi(APIView):
    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]

    def get_throttles(self) -> list[BaseThrottle]:
        return [SignInPersonThrottle(), SignInAddressThrottle()] if self.request.method == "POST" else []

    @extend_schema(operation_id="session_read", responses=SessionOut)
    def get(self, request: Request) -> Response:
        """The signed-in person, or null. Sets the CSRF cookie that each write sends back."""
        get_token(request._request)
        user = request.user if request.user.is_authenticated else None
        return Response(SessionOut.of(user, demo_roles=demo.demo_roles() if demo.is_demo(request) else ()))

    @extend_schema(operation_id="session_sign_in", request=SignInIn, responses=SessionOut)
    def post(self, request: Request) -> Response:
        """Sign in with a user name and a password."""
        sent = SignInIn(data=request.data)
        sent.is_valid(raise_exception=True)
        name, password = User.normalize_username(sent.validated_data["username"]), sent.validated_data["password"]
        user = authenticate(request._request, username=name, password=password)
        if user is None:
            raise WrongCredentials()
        enter_site(request, user)
        return Response(SessionOut.of(user))

    @extend_schema(operation_id="session_sign_out", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Sign out."""
        logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DemoSessionApi(APIView):
    """Sign in to an account of the demo. Other sites answer 404."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not demo.is_demo(request):
            raise NotFound()
        super().initial(request, *args, **kwargs)

    @extend_schema(operation_id="session_sign_in_demo", request=DemoSignInIn, responses=SessionOut)
    def post(self, request: Request) -> Response:
        sent = DemoSignInIn(data=request.data)
        sent.is_valid(raise_exception=True)
        user = demo.find_visitor(role=sent.validated_data["role"])
        enter_site(request, user)
        return Response(SessionOut.of(user))


class SignUpApi(APIView):
    """Make an account, if the site allows it (CONNOTE_SIGN_UP_OPEN)."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [SignUpThrottle]

    @extend_schema(request=SignUpIn, responses={201: SessionOut})
    def post(self, request: Request) -> Response:
        sent = SignUpIn(data=request.data)
        sent.is_valid(raise_exception=True)
        user = services.sign_up(**sent.validated_data)
        enter_site(request, user)
        return Response(SessionOut.of(user), status=status.HTTP_201_CREATED)


@method_decorator(never_cache, name="dispatch")
class MeApi(APIView):
    def get_permissions(self) -> list[BasePermission]:
        """A token reads the profile. It changes nothing there: with the e-mail it could take the account."""
        return [IsAuthenticated(), InPerson()] if self.request.method == "PATCH" else [IsAuthenticated()]

    @extend_schema(responses=MeOut)
    def get(self, request: Request) -> Response:
        """Your account and preferences."""
        return Response(MeOut(request.user).data)

    @extend_schema(request=MeIn, responses=MeOut)
    def patch(self, request: Request) -> Response:
        """Change your name, email or preferences."""
        sent = MeIn(request.user, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        return Response(MeOut(services.update_profile(user=request.user, changes=sent.validated_data)).data)


class PasswordApi(APIView):
    """Set a new password. All other sessions of this account end."""

    permission_classes = [IsAuthenticated, InPerson]
    throttle_classes = [PasswordThrottle]

    @extend_schema(request=PasswordChangeIn, responses={204: None})
    def post(self, request: Request) -> Response:
        sent = PasswordChangeIn(data=request.data)
        sent.is_valid(raise_exception=True)
        services.change_password(user=request.user, **sent.validated_data)
        update_session_auth_hash(request._request, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ResetMailApi(APIView):
    """Ask for a link by email. The answer is the same if no account has the address."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [ResetPersonThrottle, ResetAddressThrottle]

    @extend_schema(request=ResetMailIn, responses={202: None})
    def post(self, request: Request) -> Response:
        sent = ResetMailIn(data=request.data)
        sent.is_valid(raise_exception=True)
        language = resets.language_of(request.headers.get("Accept-Language", ""))
        site = request.build_absolute_uri("/").rstrip("/")
        resets.mail_links_later(email=sent.validated_data["email"], site=site, language=language)
        return Response(status=status.HTTP_202_ACCEPTED)


class ResetDoorApi(APIView):
    """Show which account a link belongs to. The link is in the body, so that no log stores it."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [ResetLinkThrottle]

    @extend_schema(request=ResetLinkIn, responses=ResetDoorOut)
    def post(self, request: Request) -> Response:
        sent = ResetLinkIn(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(ResetDoorOut(resets.find_person(**sent.validated_data)).data)


class ResetApi(APIView):
    """Set a new password with a link. All sessions and API tokens of the account end."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [ResetLinkThrottle]

    @extend_schema(request=ResetIn, responses={204: None})
    def post(self, request: Request) -> Response:
        sent = ResetIn(data=request.data)
        sent.is_valid(raise_exception=True)
        resets.reset_password(**sent.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)


@method_decorator(never_cache, name="dispatch")
class TokenListApi(ListAPIView):
    """Your API tokens, without their secrets."""

    serializer_class = TokenOut
    permission_classes = [IsAuthenticated, InPerson]
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[ApiToken]:
        return selectors.list_tokens(user=self.request.user)

    @extend_schema(request=TokenIn, responses={201: NewTokenOut})
    def post(self, request: Request) -> Response:
        """Make an API token. The answer shows it once."""
        sent = TokenIn(data=request.data)
        sent.is_valid(raise_exception=True)
        token, secret = services.create_token(user=request.user, **sent.validated_data)
        return Response({**TokenOut(token).data, "token": secret}, status=status.HTTP_201_CREATED)


class TokenApi(APIView):
    permission_classes = [IsAuthenticated, InPerson]

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke an API token."""
        services.revoke_token(user=request.user, token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
