from promptflow._stand_in import TraceType
