"""Our sentence and code for what DRF and Django say of a form's field.

DRF keeps no values beside its sentences, and one code ("invalid") for many of them. So its own template, read from its
classes, tells which sentence it was and finds the values in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import fields, serializers
from rest_framework.exceptions import ErrorDetail

from backend.common.errors import NO_FIELD, Fields
from backend.methods.said import PLACE, Said

SENTENCES = {
    "required": "Fill in this field.",
    "not_text": "Enter a text.",
    "not_yes_or_no": "Enter true or false.",
    "not_whole_number": "Enter a whole number.",
    "not_number": "Enter a number.",
    "not_email": "Enter an email address, for example name@example.org.",
    "not_uuid": "Enter an id in the form of a UUID.",
    "not_date": "Enter a date in this form: {form}.",
    "not_pattern": "This text does not have the required form.",
    "not_a_choice": '"{value}" is not one of the choices.',
    "not_a_list": "Send a list.",
    "not_an_object": "Send an object with names and values.",
    "not_a_file": "Choose a file.",
    "empty_list": "Add at least one entry.",
    "empty_file": "This file is empty. Choose another file.",
    "too_long": "Use at most {most} characters.",
    "too_short": "Use at least {least} characters.",
    "too_many": "Use at most {most} entries.",
    "too_few": "Use at least {least} entries.",
    "too_high": "Enter {most} or less.",
    "too_low": "Enter {least} or more.",
    "too_many_digits": "Enter a number with fewer digits.",
    "too_many_places": "Use at most {most} digits after the decimal point.",
    "no_null_characters": "Remove the null character from this text.",
    "no_half_characters": "Remove the incomplete character from this text.",
    "taken": "This is already in use. Choose another.",
    "username_letters": "Use only letters, digits and @ . + - _ in a name.",
    "username_taken": "An account with this name already exists. Choose another name.",
    "username_alike": "This name looks like the name of another account. Choose another name.",
    "username_mixed": "Use letters of one alphabet in a name.",
    "name_alike": "This looks like the name of another person here. Choose another name.",
    "name_mixed": "Use letters of one alphabet in your name.",
    "name_hidden": "Remove the hidden characters from your name.",
    "password_too_short": "Use at least {least} characters for the password.",
    "password_too_common": "Many people use this password. Choose another one.",
    "password_entirely_numeric": "Use more than digits for the password.",
    "password_too_similar": "This password is too similar to your name or email address.",
}
NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,6})?", re.ASCII)
# Where DRF says it, and our code.
OF_DRF: tuple[tuple[type, str, str], ...] = (
    (fields.Field, "required", "required"),
    (fields.Field, "null", "required"),
    (fields.CharField, "blank", "required"),
    (fields.CharField, "invalid", "not_text"),
    (fields.CharField, "max_length", "too_long"),
    (fields.CharField, "min_length", "too_short"),
    (fields.BooleanField, "invalid", "not_yes_or_no"),
    (fields.IntegerField, "invalid", "not_whole_number"),
    (fields.IntegerField, "max_value", "too_high"),
    (fields.IntegerField, "min_value", "too_low"),
    (fields.IntegerField, "max_string_length", "too_many_digits"),
    (fields.FloatField, "invalid", "not_number"),
    (fields.DecimalField, "max_digits", "too_many_digits"),
    (fields.DecimalField, "max_whole_digits", "too_many_digits"),
    (fields.DecimalField, "max_decimal_places", "too_many_places"),
    (fields.EmailField, "invalid", "not_email"),
    (fields.UUIDField, "invalid", "not_uuid"),
    (fields.DateField, "invalid", "not_date"),
    (fields.DateTimeField, "invalid", "not_date"),
    (fields.RegexField, "invalid", "not_pattern"),
    (fields.SlugField, "invalid", "not_pattern"),
    (fields.ChoiceField, "invalid_choice", "not_a_choice"),
    (fields.ListField, "not_a_list", "not_a_list"),
    (fields.ListField, "empty", "empty_list"),
    (fields.ListField, "max_length", "too_many"),
    (fields.ListField, "min_length", "too_few"),
    (fields.DictField, "not_a_dict", "not_an_object"),
    (serializers.Serializer, "invalid", "not_an_object"),
    (fields.FileField, "required", "not_a_file"),
    (fields.FileField, "invalid", "not_a_file"),
    (fields.FileField, "no_name", "not_a_file"),
    (fields.FileField, "empty", "empty_file"),
    (fields.FileField, "max_length", "too_long"),
)
OF_VALIDATORS = {
    "null_characters_not_allowed": "no_null_characters",
    "surrogate_characters_not_allowed": "no_half_characters",
    "unique": "taken",
    "null": "not_an_object",  # of a whole body
}
OF_DJANGO = {
    **OF_VALIDATORS,
    "required": "required", "null": "required", "blank": "required", "invalid_choice": "not_a_choice",
    "max_length": "too_long", "min_length": "too_short", "max_value": "too_high", "min_value": "too_low",
    "password_too_short": "password_too_short", "password_too_common": "password_too_common",
    "password_entirely_numeric": "password_entirely_numeric", "password_too_similar": "password_too_similar",
}  # fmt: skip
# The libraries' names of values, and ours.
VALUES = {
    "max_length": "most", "max_value": "most", "max_decimal_places": "most",
    "min_length": "least", "min_value": "least",
    "input": "value", "value": "value", "format": "form",
}  # fmt: skip


def said_of(error: ErrorDetail | str) -> Said:
    """A sentence of DRF as ours. One that we do not know stays as it is, with its code."""
    for pattern, code in _patterns():
        if found := pattern.fullmatch(str(error)):
            return _said(code, found.groupdict())
    code = str(getattr(error, "code", None) or "invalid")
    return _said(OF_VALIDATORS[code], {}) if code in OF_VALIDATORS else Said(code, str(error))


def said_of_django(error: ValidationError) -> Iterator[Said]:
    """The same of an error of Django's."""
    params = error.params if isinstance(error.params, Mapping) else {}
    code = OF_DJANGO.get(error.code or "")
    limit = {name: params["limit_value"] for name in ("max_length", "min_length") if "limit_value" in params}
    for sentence in error.messages:
        yield _said(code, {**params, **limit}) if code else Said(error.code or "invalid", sentence)


def fields_of(error: ValidationError, field: str = NO_FIELD[0]) -> Fields:
    """What Django found wrong, by field; all of it at `field` where it names none."""
    found = error.error_dict if hasattr(error, "error_dict") else {field: error.error_list}
    return {name: [said for each in errors for said in said_of_django(each)] for name, errors in found.items()}


def flatten(detail: Any, at: str = "") -> dict[str, list[Said]]:
    """DRF's nested errors by the path of the field: `judgments.1.label`."""
    if isinstance(detail, Mapping):
        parts = [(str(name), inner) for name, inner in detail.items()]
    elif any(isinstance(inner, (Mapping, list)) for inner in detail):
        parts = [(str(number), inner) for number, inner in enumerate(detail)]
    else:
        return {at or NO_FIELD[0]: [said_of(each) for each in detail]}
    found: dict[str, list[Said]] = {}
    for name, inner in parts:
        inner = inner if isinstance(inner, (Mapping, list)) else [inner]
        found |= flatten(inner, f"{at}.{name}" if at else name) if inner else {}
    return found


def reworded(detail: Any) -> Any:
    """DRF's nested errors in the same shape, with our sentences."""
    if isinstance(detail, Mapping):
        return {name: reworded(inner) for name, inner in detail.items()}
    if isinstance(detail, list):
        return [reworded(inner) for inner in detail]
    return said_of(detail).message


def _said(code: str, values: Mapping[str, Any]) -> Said:
    named = {VALUES[name]: value for name, value in values.items() if name in VALUES}
    wanted = PLACE.findall(SENTENCES[code])
    return Said(code, SENTENCES[code], {name: _value(name, named[name]) for name in wanted})


def _value(name: str, value: Any) -> str | int | float:
    """A limit as the number it is; everything else as text."""
    text = str(value)
    if name not in ("most", "least") or not NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(_pattern(str(_messages(kind)[key])), code) for kind, key, code in OF_DRF]


def _messages(kind: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for parent in reversed(kind.__mro__):
        found.update(getattr(parent, "default_error_messages", {}))
    return found


def _pattern(template: str) -> re.Pattern[str]:
    parts = PLACE.split(template)  # text, name, text, name, ..., text
    return re.compile("".join(f"(?P<{part}>.*)" if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.S)
