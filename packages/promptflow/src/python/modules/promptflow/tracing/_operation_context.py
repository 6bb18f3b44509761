"""What promptflow's tracing knows of the run: keys are attributes too."""

import uuid


class OperationContext(dict):
    _instance = None

    @classmethod
    def get_instance(cls):
        if cls._instance is None:
            cls._instance = cls(flow_id="default_flow_id", root_run_id=str(uuid.uuid4()))
        return cls._instance

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"'OperationContext' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        self[name] = value
