"""What goes wrong around the program: kills, full disks, damaged files, closed terminals."""
