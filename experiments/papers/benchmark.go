package papers

func benchmark() []Claim { return nil }
