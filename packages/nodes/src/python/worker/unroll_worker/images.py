"""Images: as they are written in literals, and on their way to and from the engine."""

import base64
import binascii
import re

from .failure import LoadFailure

_BASIC_KEY = re.compile(r"^data:image/(.*);(path|base64|url)$")
_BASE64 = re.compile(r"^(?:[A-Za-z0-9+/]{2})*(?:==|[A-Za-z0-9+/]=)?$")
_BASE64_PREFIX = re.compile(r"^data:image/(.*);base64")
_URL = re.compile(r"^[a-z][a-z0-9+.-]*://[^/?#]", re.IGNORECASE)


def is_image(value):
    """Whether a value is an image of promptflow, installed or our stand-in."""
    return isinstance(value, bytes) and any(base.__name__ in ("PFBytes", "Image") for base in type(value).__mro__)


def write_image(image):
    return {
        "image": base64.b64encode(image).decode("ascii"),
        "mimeType": image._mime_type,
        "url": getattr(image, "source_url", None),
    }


def read_image(written):
    from promptflow.contracts.multimedia import Image

    return Image(base64.b64decode(written["image"]), written["mimeType"], written.get("url"))


def load_image(node, name, value, message_format):
    """A literal of an input whose type is image, in any form it may be written in."""
    return _loading(name, lambda: _make_image(value, message_format))


def load_nested_images(node, name, value, message_format):
    """A literal with images where mappings stand for them, at any depth; the same value where there are none."""
    return _loading(name, lambda: _replace(value, message_format))


def _loading(name, load):
    try:
        return load()
    except Exception as error:
        raise LoadFailure(
            f"Failed to load image for input '{name}': ({type(error).__name__}) {error}",
            "NodeInputValidationError",
        ) from error


class InvalidImageInput(Exception):
    pass


def _replace(value, message_format):
    if isinstance(value, list):
        items = [_replace(item, message_format) for item in value]
        return items if any(new is not old for new, old in zip(items, value)) else value
    if not isinstance(value, dict):
        return value
    if _is_image_mapping(value, message_format):
        return _read_mapping(value, message_format)
    members = {key: _replace(member, message_format) for key, member in value.items()}
    return members if any(members[key] is not value[key] for key in value) else value


def _is_image_mapping(value, message_format):
    if message_format == "basic":
        return len(value) == 1 and bool(_BASIC_KEY.match(str(next(iter(value)))))
    kind = value.get("type")
    inner = value.get(kind) if isinstance(kind, str) else None
    if len(value) != 2 or not isinstance(inner, dict):
        return False
    return (kind == "image_url" and "url" in inner) or (kind == "image_file" and "path" in inner)


def _make_image(value, message_format):
    if is_image(value):
        return value
    if isinstance(value, dict):
        if _is_image_mapping(value, message_format):
            return _read_mapping(value, message_format)
        raise InvalidImageInput(
            "Invalid image input format. The image input should be a dictionary like: "
            "{data:image/<image_type>;[path|base64|url]: <image_data>}."
        )
    if not isinstance(value, str):
        raise InvalidImageInput(
            f"Unsupported image input type: {type(value)}. The image inputs should be a string or a dictionary."
        )
    if _is_base64(value):
        return _from_base64(value, None)
    return _from_url(value) if _URL.match(value) else _from_file(value, None)


def _read_mapping(value, message_format):
    if message_format != "basic":
        if value["type"] == "image_file":
            return _from_file(value["image_file"]["path"], None)
        url = value["image_url"]["url"]
        if _is_base64(url):
            return _from_base64(url, None)
        if _URL.match(url):
            return _from_url(url)
        raise InvalidImageInput(f"Invalid image url: {url}. Should be a valid url or base64 string.")
    key, text = next(iter(value.items()))
    subtype, resource = _BASIC_KEY.match(key).groups()
    if resource == "path":
        return _from_file(text, f"image/{subtype}")
    if resource == "url":
        return _from_url(text)
    if _is_base64(text):
        return _from_base64(text, f"image/{subtype}")
    raise InvalidImageInput(f"Invalid base64 image: {text}.")


def _is_base64(text):
    prefix, comma, rest = text.partition(",")
    if not comma:
        return bool(_BASE64.match(text))
    return bool(_BASE64_PREFIX.match(prefix) and _BASE64.match(rest))


def _from_base64(text, mime_type):
    from promptflow.contracts.multimedia import Image

    try:
        return Image(base64.b64decode(text.split(",")[-1]), mime_type)
    except binascii.Error as error:
        raise InvalidImageInput(str(error)) from error


def _from_file(path, mime_type):
    from promptflow.contracts.multimedia import Image

    with open(path, "rb") as file:
        return Image(file.read(), mime_type)


def _from_url(url):
    """The engine fetches what inputs of the flow name; a literal's address is not asked for by code that runs here."""
    raise InvalidImageInput(f"Failed to fetch image from URL: {url}. Give it to the node through an input of the flow.")
