package papers

func sandwiching() []Claim { return nil }
