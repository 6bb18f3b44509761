"""Pictures and texts as tools see them."""

import base64
import hashlib

_SIGNATURES = (
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/png", 0, b"\x89PNG"),
    ("image/gif", 0, b"GIF"),
    ("image/webp", 8, b"WEBP"),
    ("image/bmp", 0, b"BM"),
    ("image/tiff", 0, b"II*\0"),
    ("image/tiff", 0, b"MM\0*"),
    ("image/x-icon", 0, b"\0\0\1\0"),
    ("image/vnd.adobe.photoshop", 0, b"8BPS"),
    ("image/vnd.ms-photo", 0, b"II\xbc"),
    ("image/avif", 4, b"ftypavif"),
    ("image/heic", 4, b"ftypheic"),
    ("image/jp2", 4, b"jP  "),
)


class PFBytes(bytes):
    """Bytes with their kind and, where known, where they came from."""

    def __new__(cls, value, *_arguments, **_named):
        return super().__new__(cls, value)

    def __init__(self, value, mime_type, source_url=None):
        self._hash = hashlib.sha1(value).hexdigest()[:8]
        self._mime_type = mime_type.lower()
        self._source_url = source_url

    @property
    def source_url(self):
        return self._source_url

    def to_base64(self, with_type=False, dict_type=False):
        text = base64.b64encode(self).decode("ascii")
        if not with_type:
            return text
        return {f"data:{self._mime_type};base64": text} if dict_type else f"data:{self._mime_type};base64,{text}"


class Image(PFBytes):
    """A picture; its kind is told from its bytes where none is given."""

    def __init__(self, value, mime_type=None, source_url=None):
        super().__init__(value, mime_type or _sniff(value), source_url)

    def __str__(self):
        return f"Image({self._hash})"

    __repr__ = __str__

    def serialize(self, encoder=None):
        return str(self) if encoder is None else encoder(self)


class Text(str):
    """A text that may have notes."""

    def __new__(cls, value, annotations=None):
        text = super().__new__(cls, value)
        text._annotations = annotations
        return text

    @classmethod
    def deserialize(cls, data):
        text = data.get("text", "")
        if isinstance(text, dict):
            return cls(value=text.get("value", ""), annotations=text.get("annotations", []))
        return cls(value=text)

    def serialize(self):
        if self._annotations is None:
            return {"type": "text", "text": self}
        return {"type": "text", "text": {"value": self, "annotations": self._annotations}}


def _sniff(value):
    for mime_type, at, signature in _SIGNATURES:
        if value[at : at + len(signature)] == signature:
            return mime_type
    return "image/*"
