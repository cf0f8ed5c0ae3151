//! The kinds of entities.

/// What an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityKind {
    /// A human being, by given name, surname or both; without titles.
    Person,
    /// A company, university, authority, charity, team or band.
    Organisation,
    /// A country, region, city, street, water, mountain or sight.
    Place,
    /// A product, a program or a project.
    Product,
    /// A book, film, song or paper.
    Work,
    /// An e-mail address.
    Email,
    /// A link.
    Url,
    /// A name on a network, with its `@`.
    Handle,
    /// A label, with its `#`.
    Hashtag,
    /// A ticket: `PROJ-1234`, `#4521`.
    Ticket,
    /// A version, named with its product where the text does: `PostgreSQL 15`.
    Version,
    /// A day, weekday, month, quarter, year or feast, as written.
    Date,
}

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::Person,
        Self::Organisation,
        Self::Place,
        Self::Product,
        Self::Work,
        Self::Email,
        Self::Url,
        Self::Handle,
        Self::Hashtag,
        Self::Ticket,
        Self::Version,
        Self::Date,
    ];

    /// The word used in every interface.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Organisation => "organisation",
            Self::Place => "place",
            Self::Product => "product",
            Self::Work => "work",
            Self::Email => "email",
            Self::Url => "url",
            Self::Handle => "handle",
            Self::Hashtag => "hashtag",
            Self::Ticket => "ticket",
            Self::Version => "version",
            Self::Date => "date",
        }
    }
}
