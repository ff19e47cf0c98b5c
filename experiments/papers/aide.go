package papers

func aide() []Claim { return nil }
