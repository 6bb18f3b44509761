from promptflow.core import tool
@tool
def f(p):
    return [type(p).__name__, isinstance(p,str), type(p).__mro__[1].__name__, p.original_string, p.get_escape_string(), p.need_to_escape(), len(p.get_escape_mapping()), p+'x', type(p+'x').__name__]
