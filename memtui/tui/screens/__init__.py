"""The screens: each choreographs widgets and gateway requests; none touches the database."""
