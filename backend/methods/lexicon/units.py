"""Units behind a number, by all their names: 10 km/h and 10 mph are two speeds, 10 m and 10 metres one length."""

from __future__ import annotations

_NAMES = (
    ("mm", "millimetre", "millimeter", "millimetres", "millimeters"),
    ("cm", "centimetre", "centimeter", "centimetres", "centimeters"),
    ("m", "metre", "meter", "metres", "meters"),
    ("km", "kilometre", "kilometer", "kilometres", "kilometers"),
    ("inch", "inches"),
    ("ft", "foot", "feet"),
    ("yard", "yards", "yd"),
    ("mile", "miles", "mi"),
    ("kmh", "kph"),
    ("mph",),
    ("knot", "knots"),
    ("mg", "milligram", "milligrams"),
    ("g", "gram", "grams", "gramme", "grammes"),
    ("kg", "kilo", "kilos", "kilogram", "kilograms"),
    ("ton", "tons", "tonne", "tonnes"),
    ("oz", "ounce", "ounces"),
    ("lb", "lbs", "pound", "pounds"),
    ("ml", "millilitre", "milliliter", "millilitres", "milliliters"),
    ("litre", "liter", "litres", "liters"),
    ("gallon", "gallons"),
    ("second", "seconds", "sec"),
    ("minute", "minutes", "min"),
    ("hour", "hours"),
    ("day", "days"),
    ("week", "weeks"),
    ("month", "months"),
    ("year", "years"),
    ("percent",),
    ("euro", "euros", "eur"),
    ("dollar", "dollars", "usd"),
    ("celsius",),
    ("fahrenheit",),
)
UNITS = {name: names[0] for names in _NAMES for name in names}
PER_HOUR = {("km", "h"): "kmh"}  # 10 km/h: a slash parts words
