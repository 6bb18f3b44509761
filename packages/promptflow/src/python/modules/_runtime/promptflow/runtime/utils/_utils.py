def get_resource_management_scope():
    """What a token of Azure's public cloud is asked for to manage resources."""
    return "https://management.azure.com/.default"
