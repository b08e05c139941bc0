"""What each scheduler would ask of one person in a year: a simulation by memories that were fitted to the person."""
