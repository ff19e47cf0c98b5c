package papers

func supplement() []Claim { return nil }
