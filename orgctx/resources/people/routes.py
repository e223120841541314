"""The operations of people."""

from orgctx.operations.operation import MESSAGE, Identifier, Operation, Resource, Use
from orgctx.operations.source_kinds import PEOPLE_KINDS
from orgctx.resources.people import schemas, service
from orgctx.schemas.payload import PeoplePagination

RESOURCE = Resource(
    place=4,
    tag="people",
    about="Platform identities behind stored messages and posts.",
    operations=(
        Operation(
            path="/people",
            title="List people",
            scopes=("telegram:read", "x:read"),
            kinds=PEOPLE_KINDS,
            arguments=schemas.ListPeople,
            payload=schemas.Person,
            is_list=True,
            pagination=PeoplePagination,
            origin="collector",
            service=service.list_people,
            use=Use("Who is Ada?", {"q": "ada"}),
        ),
        Operation(
            path="/people/{key}",
            title="Read a person",
            scopes=("telegram:read", "x:read"),
            kinds=PEOPLE_KINDS,
            arguments=schemas.ReadPerson,
            payload=schemas.PersonDetail,
            origin="collector",
            is_findable=True,
            service=service.read_person,
            use=Use("What does Ada write about?", {"key": "telegram:user42"}),
            identifier=Identifier(
                "key",
                "list_people and search_context return keys.",
                (
                    MESSAGE,
                    (
                        "@?([^:@]{1,200})",
                        "A key has its platform: telegram:{0} or x:{0}, or see list_people.",
                    ),
                ),
            ),
        ),
    ),
)
