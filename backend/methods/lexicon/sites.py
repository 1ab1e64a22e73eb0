"""Names that sites put before or after the titles of their pages, as written there.

Only names that cannot be what a picture shows: no Medium, Time or Nature. Beside the great picture sites and shops
there are the phrases with which such sites end a title.
"""

from __future__ import annotations

_SITES = """
500px, 123RF, Adobe Stock, Alamy, Alamy Stock Photo, Amazon, Amazon.com, Art.com, ArtStation, BBC, BBC News, Behance,
Bigstock, Blogger, Blogspot, Booking.com, Britannica, Business Insider, BuzzFeed, CNN, CNN.com, Can Stock Photo,
Country Living, Daily Mail, Daily Mail Online, Depositphotos, DeviantArt, Dreamstime, Dribbble, EyeEm, Facebook,
FineArtAmerica, Fine Art America, Flickr, Forbes, Fotolia, Foursquare, Free Stock Photos, FreeImages, Freepik,
Getty Images, GettyImages, GitHub, Good Housekeeping, Google Arts & Culture, Google Images, Houzz, HuffPost,
Huffington Post, IMDb, Imgur, Instagram, Instructables, Istock, iStock, iStockphoto, Kickstarter, Lonely Planet,
National Geographic, NYTimes.com, New York Times, PBS, Pexels, Photobucket, Pinterest, Pixabay, Pixiv, Pixnio, Quora,
Reddit, Redbubble, Reuters, Saatchi Art, Shutterstock, SlideShare, Smithsonian Magazine, SmugMug, Snapchat,
Society6, SoundCloud, Spotify, StockSnap, StockSnap.io, Taobao, Telegraph, The Guardian, The Independent,
The New York Times, The Telegraph, The Washington Post, TikTok, TripAdvisor, Tumblr, Twitter, USA Today, Unsplash,
VectorStock, Vecteezy, Vimeo, Walmart.com, Wallpaper Access, Wallpaper Cave, WallpaperAccess, WallpaperCave,
Wallpapers.com, Wikimedia Commons, Wikipedia, Wikipedia, the free encyclopedia, WordPress, WordPress.com, Yahoo, Yelp,
YouTube, Zazzle, Zillow, eBay, Etsy, rawpixel
"""
_PHRASES = """
Photo Sharing!, Photo Sharing, Best Free Stock Photos, Free Photo, Free Photos, Free Stock Photo, Free Stock Photos,
Free Download, Free Images, Free Image, High-Quality Photo, HD Wallpaper, HD Wallpapers, Royalty Free Images,
Royalty Free Stock Photo, Royalty-Free Stock Photo, Royalty-Free Photo, Stock Image, Stock Images, Stock Photo,
Stock Photos, Stock Photography, Stock Photos & Images, Download Free, Beautiful Free Images & Pictures,
Beautiful Free Photos, Home, Home Page, Homepage, Official Site, Official Website
"""
ENCYCLOPEDIA = "Wikipedia, the free encyclopedia"


def _names(listed: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in listed.split(",") if name.strip())


NAMES = (*_names(_SITES.replace(ENCYCLOPEDIA, "")), *_names(_PHRASES), ENCYCLOPEDIA)

# Hosts under which each blog or shop has a name of its own: mistylakes.tumblr.com is the site Misty Lakes. Those of
# the Public Suffix List (github.io, wixsite.com ...) and of blogspot in any country need not be named here.
_HOSTS = """
500px.com ameblo.jp artstation.com bandcamp.com bigcartel.com blog.hu blogg.se blogger.com bravenet.com canalblog.com
carbonmade.com deviantart.com dreamwidth.org eklablog.com etsy.com exblog.jp fandom.com fc2.com fineartamerica.com
free.fr ghost.io gumroad.com hautetfort.com jimdo.com jimdofree.com livejournal.com medium.com myportfolio.com
myshopify.com naver.com over-blog.com photoshelter.com pixels.com pixnet.net seesaa.net skyrock.com smugmug.com
squarespace.com storenvy.com strikingly.com substack.com tistory.com tripod.com tumblr.com typepad.com unblog.fr
webnode.com weebly.com wikia.com wixsite.com wordpress.com zenfolio.com
"""
BLOG_HOSTS = frozenset(_HOSTS.split())
NO_BLOGS = frozenset({"www", "m", "blog", "mobile", "de", "en", "es", "fr", "it", "pt", "static", "cdn"})
