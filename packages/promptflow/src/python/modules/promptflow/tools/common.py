"""Templates and chat prompts as promptflow's own tools read them."""

import ast
import os
import re

from .exception import (
    ChatAPIFunctionRoleInvalidFormat,
    ChatAPIInvalidRole,
    ChatAPIToolRoleInvalidFormat,
    JinjaTemplateError,
)

VALID_ROLES = ["system", "user", "assistant", "function", "tool"]
_LABELS = r"\n*#{{0,2}}\s*{name}\s*:\s*\n+\s*(\S+)\s*\n*#{{0,2}}\s*content\s*:\s*\n?(.*)"
_TOOL_CALLS = re.compile(r"\n*#{0,2}\s*tool_calls\s*:\s*\n+\s*(\[.*?\])", re.DOTALL)


class ChatInputList(list):
    """A list that prints one item a line."""

    def __str__(self):
        return "\n".join(map(str, self))


def render_jinja_template(template_content, trim_blocks=True, keep_trailing_newline=True, escape_dict=None, **kwargs):
    try:
        from jinja2 import Template
        from jinja2.sandbox import SandboxedEnvironment
    except ImportError as error:
        filled = _fill(template_content, kwargs)
        if filled is not None:
            return filled
        raise ImportError("render_jinja_template needs jinja2 in the Python of this flow: pip install jinja2") from error
    try:
        if os.environ.get("PF_USE_SANDBOX_FOR_JINJA", "true").lower() == "false":
            template = Template(template_content, trim_blocks=trim_blocks, keep_trailing_newline=keep_trailing_newline)
        else:
            environment = SandboxedEnvironment(trim_blocks=trim_blocks, keep_trailing_newline=keep_trailing_newline)
            template = environment.from_string(template_content)
        return template.render(**kwargs)
    except Exception as error:
        raise JinjaTemplateError(
            f"Failed to render jinja template: {type(error).__name__}: {error}. "
            "Please modify your prompt to fix the issue."
        ) from error


def _fill(template, values):
    """A template of texts and given values alone, `{{ name }}`, as Jinja2 renders it; None for any other."""
    names = re.findall(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}", template)
    rest = re.sub(r"\{\{\s*[A-Za-z_]\w*\s*\}\}", "", template)
    if any(name not in values for name in names) or re.search(r"\{[{%#]", rest):
        return None
    return re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda found: str(values[found.group(1)]), template)


def parse_chat(chat_str, images=None, valid_roles=None, image_detail="auto", escape_dict=None):
    """The messages of a rendered chat prompt; a line that is one of the images becomes it."""
    roles = valid_roles or VALID_ROLES
    shown = {str(image): image for image in images or []}
    separator = r"(?i)^\s*#?\s*(" + "|".join(roles) + r")\s*:\s*\n"
    messages = []
    for chunk in re.split(separator, chat_str, flags=re.MULTILINE):
        last = messages[-1] if messages else None
        if last is None or "content" in last or "tool_calls" in last:
            if chunk.strip():
                messages.append({"role": _read_role(chunk.strip().lower(), roles)})
        else:
            _read_body(last, chunk, lambda text: _content(text, shown, image_detail))
    return messages


def build_messages(prompt, images=None, image_detail="auto", _inputs_to_escape=None, **kwargs):
    """A filled chat template as messages; what is bound straight to inputs of the flow opens no role."""
    marks = _marks([kwargs[name] for name in _inputs_to_escape or [] if name in kwargs])
    given = {
        name: _replace(value, marks) if name in (_inputs_to_escape or []) else value for name, value in kwargs.items()
    }
    messages = parse_chat(render_jinja_template(prompt, **given), images=images, image_detail=image_detail)
    back = {mark: role for role, mark in marks.items()}
    return [{key: _replace(value, back) for key, value in message.items()} for message in messages]


def convert_to_chat_list(obj):
    if isinstance(obj, dict):
        return {key: convert_to_chat_list(value) for key, value in obj.items()}
    return ChatInputList(map(convert_to_chat_list, obj)) if isinstance(obj, list) else obj


def to_bool(value):
    return str(value).lower() == "true"


def _read_role(role, roles):
    if role in roles:
        return role
    lines = ",".join(f"'{name}:\\n'" for name in roles)
    raise ChatAPIInvalidRole(
        "The Chat API requires a specific format for prompt definition, and the prompt should include separate lines "
        f"as role delimiters: {lines}. Current parsed role '{role}' does not meet the requirement. If you intend to "
        "use the Completion API, please select the appropriate API type and deployment name. If you do intend to use "
        "the Chat API, please refer to the guideline at https://aka.ms/pfdoc/chat-prompt or view the samples in our "
        "gallery that contain 'Chat' in the name."
    )


def _read_body(message, chunk, content):
    role = message["role"]
    if role == "assistant":
        calls = _tool_calls(chunk)
        if calls is not None:
            message["tool_calls"] = calls
            return
    label = "tool_call_id" if role == "tool" else "name"
    found = re.search(_LABELS.format(name=label), chunk, re.DOTALL)
    if found:
        message[label] = found.group(1)
        message["content"] = content(found.group(2))
    elif role == "tool":
        raise ChatAPIToolRoleInvalidFormat(
            "Failed to parse tool role prompt. Please make sure the prompt follows the format: 'tool_call_id:\\n"
            "tool_call_id\\ncontent:\\ntool_content'. 'tool_call_id' is required if role is tool, and it should be the "
            "tool call that this message is responding to. See more details in "
            "https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages"
        )
    elif role == "function":
        raise ChatAPIFunctionRoleInvalidFormat(
            "Failed to parse function role prompt. Please make sure the prompt follows the format: 'name:\\n"
            "function_name\\ncontent:\\nfunction_content'. 'name' is required if role is function, and it should be the "
            "name of the function whose response is in the content. May contain a-z, A-Z, 0-9, and underscores, with a "
            "maximum length of 64 characters. See more details in "
            "https://platform.openai.com/docs/api-reference/chat/create#chat/create-name or view sample 'How to use "
            "functions with chat models' in our gallery."
        )
    else:
        message["content"] = content(chunk)


def _tool_calls(chunk):
    found = _TOOL_CALLS.search(chunk)
    if not found:
        return None
    try:
        return ast.literal_eval(found.group(1))
    except (ValueError, SyntaxError):
        return None


def _content(text, images, detail):
    text = text.strip()
    lines = text.split("\n")
    if not any(line.strip() in images for line in lines):
        return text
    parts = []
    for line in lines:
        image = images.get(line.strip())
        if image is not None:
            url = getattr(image, "source_url", None) or image.to_base64(with_type=True)
            parts.append({"type": "image_url", "image_url": {"url": url, "detail": detail}})
        elif line.strip():
            parts.append({"type": "text", "text": line})
    return parts


def _marks(values):
    """A word of its own for each role word that stands on a role line of the values."""
    pattern = re.compile(r"^\s*#?\s*(" + "|".join(VALID_ROLES) + r")\s*:\s*\n", re.IGNORECASE | re.MULTILINE)
    words = dict.fromkeys(word for value in values for text in _texts(value) for word in pattern.findall(text + "\n"))
    return {word: os.urandom(16).hex() for word in words}


def _texts(value):
    if isinstance(value, str):
        return [value]
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for member in members for text in _texts(member)]


def _replace(value, words):
    if isinstance(value, str):
        for word, other in words.items():
            value = value.replace(word, other)
        return value
    if isinstance(value, dict):
        return {key: _replace(member, words) for key, member in value.items()}
    if isinstance(value, list):
        return type(value)([_replace(member, words) for member in value])
    return value
