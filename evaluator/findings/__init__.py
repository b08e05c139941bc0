"""The findings of the report, one for each subject."""
