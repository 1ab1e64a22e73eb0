from __future__ import annotations

import pytest
from rest_framework import serializers

from backend.common.serializers import presented, validated


class PageIn(serializers.Serializer):
    after = serializers.IntegerField(required=False, default=0)
    names = serializers.ListField(child=serializers.CharField(), required=False, default=list)


def test_nothing_of_a_request_stays_for_the_next_one() -> None:
    first = validated(PageIn, {"after": 5, "names": ["ann"]})
    first["names"].append("ben")
    with pytest.raises(serializers.ValidationError) as refused:
        validated(PageIn, {"after": "x"})
    assert set(refused.value.detail) == {"after"}
    assert validated(PageIn, {}) == {"after": 0, "names": []}
    with pytest.raises(serializers.ValidationError, match="No data provided"):
        validated(PageIn, None)


def test_what_is_presented_is_what_the_serializer_gives() -> None:
    for value in ({"after": 1, "names": ["ann"]}, {"after": 2, "names": []}):
        assert presented(PageIn, value) == PageIn(value).data == value
