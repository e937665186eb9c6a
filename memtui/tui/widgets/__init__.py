"""The widgets: they draw models and talk up by messages; none knows the service or the gateway."""
