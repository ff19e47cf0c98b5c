module mine

go 1.26.0
