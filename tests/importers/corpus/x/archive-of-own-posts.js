window.YTD.tweets.part0 = [ {"tweet": {"id_str": "150", "full_text": "mine"}} ]
