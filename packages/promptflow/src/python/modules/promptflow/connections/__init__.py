from promptflow._connections import *  # noqa: F403
