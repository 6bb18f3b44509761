from promptflow._stand_in import DynamicList, GeneratedBy, InputSetting, ToolProvider, tool
