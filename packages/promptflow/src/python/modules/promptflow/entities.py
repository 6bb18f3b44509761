from promptflow._connections import *  # noqa: F403
from promptflow._stand_in import DynamicList, InputSetting
